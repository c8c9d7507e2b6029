// SPDX-License-Identifier: Apache-2.0
import Debuginfod
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The cache stays within its bounds.
@Suite struct CacheCleaningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Files of 1 MiB, each used so many seconds ago.
    private func make(_ ages: [String: Int], now: Int) throws {
        for (name, age) in ages {
            let path = folder.path + "/" + name
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(repeating: 1, count: 1 << 20).write(to: URL(filePath: path + "/debuginfo"))
            let times = [timespec(tv_sec: now - age, tv_nsec: 0), timespec(tv_sec: now - age, tv_nsec: 0)]
            utimensat(AT_FDCWD, path + "/debuginfo", times, 0)
        }
    }

    private var names: [String] { folder.entries().filter { !$0.hasPrefix(".") } }

    @Test func whatNobodyUsedGoes() throws {
        let now = time(nil)
        try make(["aa": 10, "bb": 90_000, "cc": 700_000], now: now)
        DebuginfodCache(folder: folder.path, limits: DebuginfodLimits()).clean(now: now)
        #expect(names == ["aa", "bb"])
    }

    @Test func whatWasUsedLongestAgoMakesRoom() throws {
        let now = time(nil)
        try make(["aa": 30, "bb": 20, "cc": 10], now: now)
        var limits = DebuginfodLimits()
        limits.cacheBytes = 5 << 19
        DebuginfodCache(folder: folder.path, limits: limits).clean(now: now)
        #expect(names == ["bb", "cc"])
        try make(["aa": 30], now: now)
        DebuginfodCache(folder: folder.path, limits: limits).clean(now: now)
        #expect(names == ["aa", "bb", "cc"], "it was cleaned within the hour")
        DebuginfodCache(folder: folder.path, limits: limits).clean(now: now + 4000)
        #expect(names == ["bb", "cc"])
    }
}
