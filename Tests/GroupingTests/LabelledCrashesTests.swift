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

    /// Some share the failing function and differ in how it is reached; `make bench` has more programs and builds.
    private static let bugs = 12
    private static let source = BuildProducts.root + "/crashers/labelled/records.c"

    private func crash(_ program: String, bug: Int, symbolicator: Symbolicator) throws -> Event {
        let folder = try TemporaryFolder()
        _ = try ChildProcess.run(
            program, ["\(bug)", "1"],
            environment: ["LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": folder.path])
        let record = try #require(
            folder.entries("crashes").first { $0.hasSuffix(".vakacrash") }, "bug \(bug) left no record")
        return symbolicator.symbolicate(try CrashRecordFile(contentsOf: folder.path + "/crashes/" + record).event())
    }

    @Test func `same causes are grouped and other causes are not`() throws {
        let folder = try TemporaryFolder()
        let source = try String(contentsOfFile: Self.source, encoding: .utf8)
        let symbolicator = Symbolicator(finder: ImageFinder())
        var crashes: [Crash] = []
        for level in ["-O0", "-O1", "-O2", "-Os"] {
            for padding in [[], ["-DPADDING"]] {
                let name = "program\(level)\(padding.count)"
                let program = try CompiledProgram.build(
                    name, source: source, extension: "c", compiler: "gcc", flags: ["-g", level, "-w"] + padding,
                    in: folder)
                for bug in 0..<Self.bugs {
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
        // Where a compiler drops a small inlined function, or a tail call a caller, the stacks differ.
        #expect(score.recall > 0.75, "\(report)")
        // Across address space randomisation and a rebuild, the key is the same whatever the level.
        for level in ["-O0", "-O1", "-O2", "-Os"] {
            for bug in 0..<Self.bugs {
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
