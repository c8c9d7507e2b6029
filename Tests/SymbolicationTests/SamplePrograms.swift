// SPDX-License-Identifier: Apache-2.0

/// Sources with many inlined calls, namespaces, templates and local types.
enum SamplePrograms {
    static let cxx = """
        #include <algorithm>
        #include <cstdio>
        #include <map>
        #include <memory>
        #include <stdexcept>
        #ifdef LARGE
        #include <regex>
        #endif
        #include <string>
        #include <vector>

        namespace shapes { namespace detail {
        template <typename T> struct Box {
            T value;
            Box(T v) : value(v) {}
            virtual ~Box() {}
            __attribute__((noinline)) virtual T area(int scale) const { return value * scale + twice(value); }
            static inline T twice(T v) { return v + v + (v > 3 ? helper(v) : 0); }
            static inline T helper(T v) { T sum = 0; for (T i = 0; i < v; i++) sum += i * v; return sum; }
        };
        }
        struct Named : detail::Box<long> {
            std::string name;
            Named(std::string n, long v) : Box(v), name(std::move(n)) {}
            long area(int scale) const override;
        };
        long Named::area(int scale) const {
            struct Local { static long add(long a, long b) { return a % 7 ? a + b : throw "odd"; } };
            return Local::add(Box::area(scale), (long)name.size());
        }
        }

        static void __attribute__((noinline)) fail(const std::string &why) {
            std::fprintf(stderr, "%s\\n", why.c_str());
            throw std::runtime_error(why);
        }

        int main(int argc, char **argv) {
            std::vector<std::unique_ptr<shapes::Named>> all;
            std::map<std::string, int> counts;
        #ifdef LARGE
            std::regex words("[a-z]+([0-9]*)");
        #endif
            for (int i = 0; i < argc; i++) {
                std::string text = argv[i];
                counts[text] += (int)text.size();
        #ifdef LARGE
                counts[text] += std::regex_search(text, words);
        #endif
                all.push_back(std::make_unique<shapes::Named>(text, i));
            }
            std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a->area(2) < b->area(3); });
            try {
                if (counts.size() > 5) fail("too many");
            } catch (const std::exception &e) {
                std::puts(e.what());
            }
            return (int)counts.size();
        }

        """

    static let c = """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        struct list { struct list *next; int value; };
        static struct list *push(struct list *l, int v) {
            struct list *n = malloc(sizeof *n);
            if (!n) abort();
            n->next = l;
            n->value = v;
            return n;
        }
        static int sum(const struct list *l) { int s = 0; for (; l; l = l->next) s += l->value; return s; }
        static int mix(int a, int b) { return a % 3 ? a * b + sum(0) : b - a; }
        __attribute__((noinline)) int work(int n, const char *text) {
            struct list *l = 0;
            for (int i = 0; i < n; i++) l = push(l, mix(i, (int)strlen(text)));
            for (int i = 0; i < 4; i++) l = push(l, mix(n, i));
            return sum(l);
        }
        __attribute__((noinline)) int compare(const void *a, const void *b) { return mix(*(const int *)a, *(const int *)b); }
        int main(int argc, char **argv) {
            int values[64];
            for (int i = 0; i < 64; i++) values[i] = work(i, argv[0]);
            qsort(values, 64, sizeof *values, compare);
            printf("%d\\n", values[argc]);
            return 0;
        }

        """

    /// Needs no library, so that it can be built for another machine.
    static let freestanding = """
        static volatile int sink;
        static inline int twice(int x) { sink = x; return x * 2; }
        static inline int mix(int a, int b) { return twice(a) % (b ? b : 1) + twice(b); }
        __attribute__((noinline)) int work(int n, const int *values) {
            int sum = 0;
            for (int i = 0; i < n; i++) sum += mix(values[i], sum);
            if (sum > 100) sum -= twice(sum);
            return sum;
        }
        __attribute__((noinline)) int more(int n) {
            int values[16];
            for (int i = 0; i < 16; i++) values[i] = mix(i, n);
            return work(16, values) + mix(n, n);
        }
        void start(void) { for (int i = 0; ; i++) sink += more(i) + mix(sink, i); }

        """

    static let swift = """
        struct Matrix: Hashable {
            var rows: [[Int]]
            init(size: Int) { rows = (0..<size).map { row in (0..<size).map { $0 &* row } } }
            subscript(_ row: Int, _ column: Int) -> Int { rows[row][column] }
            func transposed() -> Matrix {
                var copy = self
                for row in rows.indices { for column in rows.indices { copy.rows[column][row] = self[row, column] } }
                return copy
            }
        }
        enum Failure: Error { case tooLarge(Int), named(String) }
        protocol Shape { func area(scale: Int) throws -> Int }
        extension Matrix: Shape {
            func area(scale: Int) throws -> Int {
                guard rows.count < 100 else { throw Failure.tooLarge(rows.count) }
                return rows.reduce(0) { $0 + $1.reduce(0, +) } / scale
            }
        }
        actor Counter {
            var counts: [String: Int] = [:]
            func add(_ word: String) -> Int { counts[word, default: 0] += 1; return counts[word]! }
        }
        func describe<S: Shape>(_ shapes: [S], by scale: Int) -> [String] {
            shapes.compactMap { shape in (try? shape.area(scale: scale)).map { "area \\($0)" } }.sorted()
        }
        @main struct Main {
            static func main() async throws {
                let counter = Counter()
                let words = CommandLine.arguments.flatMap { $0.split(separator: "/").map(String.init) }
                let matrices = words.map { Matrix(size: $0.count).transposed() }
                for word in words { print(await counter.add(word), Set(matrices).count) }
                print(describe(matrices, by: words.count), words.map { Int($0) ?? 0 }.max() ?? 0)
            }
        }

        """

    static let rust = """
        use std::collections::HashMap;
        mod shapes {
            pub trait Shape { fn area(&self, scale: u64) -> Result<u64, String>; }
            pub struct Square<const N: usize> { pub side: u64 }
            impl<const N: usize> Shape for Square<N> {
                #[inline(never)]
                fn area(&self, scale: u64) -> Result<u64, String> {
                    let base = self.side.checked_mul(self.side).ok_or_else(|| format!("{} is too large", self.side))?;
                    Ok((0..N as u64).map(|i| super::mix(base + i, scale)).sum())
                }
            }
        }
        fn mix(a: u64, b: u64) -> u64 { if a % 3 == 0 { a / b } else { a.rotate_left(3) ^ b } }
        fn main() {
            use shapes::Shape;
            let mut counts: HashMap<String, Vec<u64>> = HashMap::new();
            for word in std::env::args() {
                let shapes: Vec<Box<dyn Shape>> = vec![
                    Box::new(shapes::Square::<3> { side: word.len() as u64 }), Box::new(shapes::Square::<9> { side: 2 })];
                let areas = shapes.iter().filter_map(|s| s.area(7).ok()).collect::<Vec<_>>();
                counts.entry(word).or_default().extend(areas);
            }
            let mut all: Vec<_> = counts.into_iter().collect();
            all.sort_by(|a, b| b.1.cmp(&a.1));
            for (word, areas) in &all { println!("{word}: {areas:?}"); }
        }

        """
}
