// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Delivery
import Glibc

/// The control group that this process, and so what it runs, counts its memory in: cgroup v1's hierarchy `memory` or
/// v2's only one.
package struct ControlGroup: Sendable {
    /// What the kernel tells of the group at one moment, in bytes; nil where it does not.
    package struct Figures: Hashable, Sendable {
        /// Processes of the group that were killed for memory, ever.
        package var kills: UInt64?
        package var limit: UInt64?
        /// The most that was ever used.
        package var peak: UInt64?

        package init(kills: UInt64? = nil, limit: UInt64? = nil, peak: UInt64? = nil) {
            self.kills = kills
            self.limit = limit
            self.peak = peak
        }
    }

    private struct Version {
        var number: Int
        var kills: [String]
        var limit: String
        var peak: String
    }

    private static let first = Version(
        number: 1, kills: ["memory.oom_control"], limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes")
    private static let second = Version(
        number: 2, kills: ["memory.events.local", "memory.events"], limit: "memory.max", peak: "memory.peak")
    /// Version 1 says "no limit" by a number near the largest.
    private static let noLimit: UInt64 = 1 << 60

    /// As `/proc/self/cgroup` has it; nil where the process is in none.
    package let path: String?
    package let version: Int?
    private let folder: String
    private let files: Version

    /// `root` is where the hierarchies are mounted, `/sys/fs/cgroup` usually. Where a container sees its own group as
    /// the root while its name is the host's, the root is read.
    package init(root: String, membership: String = "/proc/self/cgroup") {
        let bytes = (try? BoundedFile.read(membership, limit: 64 << 10)) ?? []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let group = parts[2] == "/" ? "" : String(parts[2])
            let isFirst = parts[1].split(separator: ",").contains("memory")
            guard isFirst || (parts[0] == "0" && parts[1].isEmpty) else { continue }
            let files = isFirst ? Self.first : Self.second
            let folders = isFirst ? ["/memory\(group)", "/memory"] : [group, "/unified\(group)", "", "/unified"]
            let found = folders.map { root + $0 }.first { folder in
                files.kills.contains { KillCount.read("\(folder)/\($0)") != nil }
            }
            guard let found else { continue }
            self.init(path: String(parts[2]), version: files.number, folder: found, files: files)
            return
        }
        self.init(path: nil, version: nil, folder: "", files: Self.second)
    }

    private init(path: String?, version: Int?, folder: String, files: Version) {
        self.path = path
        self.version = version
        self.folder = folder
        self.files = files
    }

    package var figures: Figures {
        guard version != nil else { return Figures() }
        let limit = number(files.limit)
        return Figures(
            kills: files.kills.lazy.compactMap { KillCount.read("\(folder)/\($0)") }.first,
            limit: limit.map { $0 >= Self.noLimit } == true ? nil : limit, peak: number(files.peak))
    }

    private func number(_ file: String) -> UInt64? {
        let path = "\(folder)/\(file)"
        guard BoundedFile.isRegular(path), let bytes = try? BoundedFile.read(path, limit: 64) else { return nil }
        return UInt64(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
