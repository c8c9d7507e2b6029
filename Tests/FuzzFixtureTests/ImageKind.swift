// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

/// A kind of image, and how a small one of it is made.
struct ImageKind: Sendable, CustomTestStringConvertible {
    /// What is read, and what of it is mutated.
    struct Image {
        var file: String
        var mutated: String
    }

    var name: String
    /// Its tools are not on every machine.
    var isOptional = false
    var build: @Sendable (TemporaryFolder) throws -> Image

    var testDescription: String { name }

    func build(in folder: TemporaryFolder) throws -> Image { try build(folder) }

    static let all: [ImageKind] =
        [
            compiled("gcc", c, "c", ["-gdwarf-5", "-O2"]), compiled("gcc", c, "c", ["-gdwarf-4", "-O2"]),
            compiled("gcc", c, "c", ["-g", "-O2", "-gz=zlib"]), compiled("g++", cxx, "cc", ["-g", "-O1"]),
            compiled("clang", c, "c", ["-gdwarf-5", "-O2"]), compiled("clang", c, "c", ["-gdwarf-4", "-O2", "-fPIC"]),
            compiled("clang++", cxx, "cc", ["-g", "-O2", "-fdebug-types-section"]),
            compiled("swiftc", swift, "swift", ["-g", "-O"]),
            compiled("rustc", rust, "rs", ["-g", "-Copt-level=1", "-Cpanic=abort", "-Clink-arg=-lc"]),
        ] + processed + split

    private static let processed: [ImageKind] = [
        // One program, worked on afterwards.
        made("stripped", ["strip -s prog"]),
        made("companion", ["objcopy --only-keep-debug prog prog.debug", "mv prog.debug prog"]),
        made("zstd", isOptional: true, ["objcopy --compress-debug-sections=zstd prog prog.new", "mv prog.new prog"]),
        made("zlib-gnu", ["objcopy --compress-debug-sections=zlib-gnu prog prog.new", "mv prog.new prog"]),
        made(
            "packed symbols",
            [
                "nm -f posix prog | cut -d ' ' -f 1 > keep", "strip -g -o small prog", "xz -k small",
                "strip -s prog", "objcopy --add-section .gnu_debugdata=small.xz prog",
            ]),
        made("dwz", ["cp prog two", "dwz -m common prog two"]),
    ]

    /// The file that is mutated is one that the image refers to.
    private static let split: [ImageKind] = [
        ImageKind(name: "split") { folder in
            let file = try build(folder, "gcc", c, "c", ["-g", "-O2", "-gsplit-dwarf"])
            let name = folder.entries().first { $0.hasSuffix(".dwo") } ?? ""
            return Image(file: file, mutated: folder.path + "/" + name)
        },
        ImageKind(name: "common file of dwz") { folder in
            let file = try build(folder, "g++", cxx, "cc", ["-g"])
            try shell(["cp prog two", "dwz -m common prog two"], in: folder)
            return Image(file: file, mutated: folder.path + "/common")
        },
    ]

    private static func compiled(_ compiler: String, _ source: String, _ ext: String, _ flags: [String]) -> ImageKind {
        ImageKind(name: ([compiler] + flags).joined(separator: " "), isOptional: compiler == "rustc") { folder in
            let file = try build(folder, compiler, source, ext, flags)
            return Image(file: file, mutated: file)
        }
    }

    private static func made(_ name: String, isOptional: Bool = false, _ steps: [String]) -> ImageKind {
        ImageKind(name: name, isOptional: isOptional) { folder in
            let file = try build(folder, "g++", cxx, "cc", ["-g", "-O2"])
            try shell(steps, in: folder)
            return Image(file: file, mutated: file)
        }
    }

    private static func build(
        _ folder: TemporaryFolder, _ compiler: String, _ source: String, _ ext: String, _ flags: [String]
    ) throws -> String {
        try Data(source.utf8).write(to: URL(filePath: folder.path + "/prog." + ext))
        try CompiledProgram.tool(compiler, flags + ["prog." + ext, "-o", "prog"], directory: folder.path)
        return folder.path + "/prog"
    }

    private static func shell(_ steps: [String], in folder: TemporaryFolder) throws {
        try CompiledProgram.tool("/bin/sh", ["-e", "-c", steps.joined(separator: "\n")], directory: folder.path)
    }

    private static let c = """
        #include <stdlib.h>
        struct list { struct list *next; int value; };
        static inline int mix(int a, int b) { return a % 3 ? a * b : b - a; }
        static int compare(const void *a, const void *b) { return mix(*(const int *)a, *(const int *)b); }
        __attribute__((noinline)) int work(struct list *l, int n) {
            int sum = 0;
            for (; l; l = l->next) sum += mix(l->value, n);
            return sum;
        }
        int main(int argc, char **argv) {
            int values[9] = {3, 1, argc};
            struct list last = {0, argc}, first = {&last, 2};
            qsort(values, 9, sizeof *values, compare);
            return work(&first, values[argc]);
        }

        """

    private static let cxx = """
        namespace shapes {
        template <typename T> struct Box {
            T value;
            virtual ~Box() {}
            __attribute__((noinline)) virtual T area(int scale) const { return value * scale + twice(value); }
            static inline T twice(T v) { return v > 3 ? v + v : throw v; }
        };
        struct Named : Box<long> { const char *name; };
        }
        int main(int argc, char **argv) {
            shapes::Named box;
            box.value = argc;
            box.name = argv[0];
            auto twice = [&](int n) { return box.area(n) * 2; };
            try { return (int)twice(argc); } catch (long) { return 1; }
        }

        """

    private static let swift = """
        protocol Shape { func area(_ scale: Int) throws -> Int }
        enum Failure: Error { case odd(Int) }
        struct Square: Shape {
            var side: Int
            func area(_ scale: Int) throws -> Int { if side % 2 == 1 { throw Failure.odd(side) }; return side * side / scale }
        }
        func sum<S: Shape>(_ shapes: [S]) -> Int { shapes.reduce(0) { $0 + ((try? $1.area(3)) ?? 0) } }
        print(sum(CommandLine.arguments.map { Square(side: $0.utf8.count) }))

        """

    private static let rust = """
        #![no_std]
        #![no_main]
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
        trait Shape { fn area(&self, scale: u32) -> Option<u32>; }
        struct Square<const N: usize> { side: u32 }
        impl<const N: usize> Shape for Square<N> {
            #[inline(never)]
            fn area(&self, scale: u32) -> Option<u32> { self.side.checked_mul(N as u32)?.checked_div(scale) }
        }
        #[no_mangle]
        pub extern "C" fn main(count: i32, _: *const *const u8) -> i32 {
            let shapes: [&dyn Shape; 2] = [&Square::<3> { side: count as u32 }, &Square::<9> { side: 2 }];
            shapes.iter().filter_map(|s| s.area(7)).map(|a| a as i32).sum()
        }

        """
}
