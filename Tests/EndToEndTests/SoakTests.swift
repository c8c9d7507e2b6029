// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Crashes in a row, of every declared kind, in two programs at once that share a storage folder, while both processors
/// have other work (in a short run that of the other tests): a record each, whole, none twice. `VAKA_SOAK=1` makes it a
/// thousand.
@Suite struct SoakTests {
    private static let isLong = ProcessInfo.processInfo.environment["VAKA_SOAK"] != nil
    private static let count = isLong ? 1000 : 20
    private static let atOnce = 2

    /// Processes that only compute, until the value is gone.
    private final class Load {
        private var processes: [ChildProcess] = []

        init() throws {
            guard SoakTests.isLong else { return }
            for _ in 0..<SoakTests.atOnce {
                processes.append(try ChildProcess("/bin/sh", ["-c", "ulimit -t 3600; while :; do :; done"]))
            }
        }

        deinit {
            for process in processes {
                process.kill(SIGKILL)
                _ = try? process.wait()
            }
        }
    }

    /// A different order for each of those that run at once, the same each time.
    private static func order(_ part: Int) -> [Crasher] {
        var random = SeededRandom(seed: UInt64(part) + 1)
        let shuffled = Crasher.all.filter { $0.records == 1 }.shuffled(using: &random)
        guard !shuffled.isEmpty else { return [] }
        return (0..<count / atOnce).map { shuffled[$0 % shuffled.count] }
    }

    private static func crash(_ crashers: [Crasher], in storage: String) throws -> [String: Int] {
        var programs: [String: Int] = [:]
        for crasher in crashers {
            let preload = crasher.linked ? [] : ["LD_PRELOAD=" + BuildProducts.preloadLibrary]
            let result = try CrashRun.finish(crasher, with: ["VAKA_STORAGE=" + storage] + preload)
            #expect(result.status == (try crasher.expectedStatus()), "\(crasher): \(result.errors)")
            programs[crasher.program, default: 0] += 1
        }
        return programs
    }

    @Test func everyCrashLeavesOneWholeRecord() async throws {
        let storage = try TemporaryFolder()
        let load = try Load()
        let parts = (0..<Self.atOnce).map(Self.order)
        let path = storage.path
        let crashed = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for part in parts { group.addTask { try Self.crash(part, in: path) } }
            return try await group.reduce(into: [String: Int]()) { sum, one in sum.merge(one, uniquingKeysWith: +) }
        }
        withExtendedLifetime(load) {}

        var recorded: [String: Int] = [:]
        var events: Set<String> = []
        for name in storage.entries("crashes") {
            let record = try CrashRecordFile(contentsOf: path + "/crashes/" + name)
            #expect(record.isComplete && record.damage.isEmpty, "\(name): \(record.damage)")
            let event = record.event()
            #expect(event.crashedThread?.frames.isEmpty == false, "\(name)")
            events.insert(event.eventID)
            recorded[event.debugImages.first?.name ?? "none", default: 0] += 1
        }
        #expect(crashed.values.reduce(0, +) == Self.count)
        #expect(events.count == Self.count)
        #expect(recorded == crashed)
        let kinds = Set(parts.joined().map(\.name))
        print("soak: \(Self.count) crashes of \(kinds.count) kinds, \(events.count) records")
    }
}
