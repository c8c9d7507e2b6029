// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing
import VakaModel

@testable import Grouping

/// Real crashes with known causes, each built several ways: same cause, same group; other cause, other group.
struct LabelledCrashesTests {
    private struct Crash {
        var bug: Int
        var build: String
        var functionKey: String
        var material: [String]
    }

    /// Nine bugs in one program. Two share the failing function and differ in how it is reached.
    private static let source = """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #ifdef PADDING
        int unrelated(int x) { for (int i = 0; i < 10; i++) x = x * 31 + i; return x; }
        #endif
        volatile int sink;
        struct message { int size; const char *text; };
        static int read_size(struct message *m) { return m->size + 1; }
        static int parse_header(struct message *m) { sink++; return read_size(m) * 2; }
        int load_message(struct message *m) { int n = parse_header(m); sink += n; return n; }
        int import_archive(struct message *m) { sink--; int n = parse_header(m); sink += n; return n + 1; }
        static void check_invariant(int x) { if (x < 1000) abort(); sink = x; }
        int commit(int x) { check_invariant(x); sink++; return x + 1; }
        int release_session(char *p) { free(p); sink++; free(p); return sink; }
        char *volatile slot;
        int close_all(void) { slot = malloc(24); int n = release_session(slot); sink += n; return n; }
        int average(int total, int count) { int n = total / count; sink = n; return n + 1; }
        int walk(volatile char *p, int n) { volatile char room[256]; room[n & 255] = *p; sink += walk(room, n + 1); return room[3] + *p; }
        int name_length(const char *name) { int n = (int)strlen(name); sink = n; return n + 1; }
        static int by_size(const void *a, const void *b) { sink++; if (sink > 3) *(volatile int *)8 = 1; return *(int *)a - *(int *)b; }
        int cheapest(void) { int v[8] = {4, 3, 9, 1, 5, 2, 8, 7}; qsort(v, 8, sizeof *v, by_size); sink = v[0]; return v[0]; }
        int print_name(const char *name) { int n = fprintf(stderr, "%s %d\\n", name, sink); sink += n; return n; }
        int main(int count, char **words) {
            int bug = atoi(words[1]);
            volatile int zero = 0;
            char one = 1;
            if (bug == 0) sink += load_message(NULL);
            if (bug == 1) sink += import_archive(NULL);
            if (bug == 2) sink += commit(count);
            if (bug == 3) sink += close_all();
            if (bug == 4) sink += average(count, zero);
            if (bug == 5) sink += walk(&one, 0);
            if (bug == 6) sink += name_length((const char *)(long)zero);
            if (bug == 7) sink += cheapest();
            if (bug == 8) sink += print_name((const char *)16);
            return sink;
        }
        """

    private func crash(_ program: String, bug: Int, symbolicator: Symbolicator) throws -> Event {
        let folder = try TemporaryFolder()
        _ = try ChildProcess.run(
            program, ["\(bug)"], environment: ["LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": folder.path])
        let record = try #require(
            folder.entries("crashes").first { $0.hasSuffix(".vakacrash") }, "bug \(bug) left no record")
        return symbolicator.symbolicate(try CrashRecordFile(contentsOf: folder.path + "/crashes/" + record).event())
    }

    @Test func `same causes are grouped and other causes are not`() throws {
        let folder = try TemporaryFolder()
        let symbolicator = Symbolicator(finder: ImageFinder())
        var crashes: [Crash] = []
        for level in ["-O0", "-O1", "-O2", "-Os"] {
            for padding in [[], ["-DPADDING"]] {
                let name = "program\(level)\(padding.count)"
                let program = try CompiledProgram.build(
                    name, source: Self.source, extension: "c", compiler: "gcc", flags: ["-g", level, "-w"] + padding,
                    in: folder)
                for bug in 0..<9 {
                    let result = Grouping.group(try crash(program, bug: bug, symbolicator: symbolicator))
                    crashes.append(
                        Crash(
                            bug: bug, build: name, functionKey: result.keys[0].value, material: result.keys[0].material)
                    )
                }
            }
        }
        let score = Score(crashes.map { ($0.bug, $0.functionKey) })
        print("grouping_precision \(score.precision) ratio")
        print("grouping_recall \(score.recall) ratio")
        let report = Set(crashes.map { "\($0.bug) \($0.material)" }).sorted().joined(separator: "\n")
        #expect(score.precision == 1, "\(report)")
        #expect(score.recall > 0.85, "\(report)")
        // Across address space randomisation and a rebuild, the key is the same whatever the level.
        for level in ["-O0", "-O1", "-O2", "-Os"] {
            for bug in 0..<9 {
                let keys = Set(
                    crashes.filter { $0.bug == bug && $0.build.hasPrefix("program\(level)") }.map(\.functionKey))
                #expect(keys.count == 1, "bug \(bug) at \(level)")
            }
        }
    }

    /// Over all pairs: of those grouped together, how many belong; of those that belong, how many were grouped.
    private struct Score {
        var precision = 1.0
        var recall = 1.0

        init(_ items: [(label: Int, group: String)]) {
            var (both, grouped, same) = (0.0, 0.0, 0.0)
            for first in items.indices {
                for second in items.indices where second > first {
                    let isSame = items[first].label == items[second].label
                    let isGrouped = items[first].group == items[second].group
                    both += isSame && isGrouped ? 1 : 0
                    grouped += isGrouped ? 1 : 0
                    same += isSame ? 1 : 0
                }
            }
            precision = grouped == 0 ? 1 : both / grouped
            recall = same == 0 ? 1 : both / same
        }
    }
}
