// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// How many processes of this process's control group the kernel has killed for memory, by cgroup v1's
/// `memory.oom_control` or v2's `memory.events`.
package struct MemoryKills: Sendable {
    private let files: [String]

    /// `root` is where the hierarchies are mounted, `/sys/fs/cgroup` usually. Where a container sees its own group as
    /// the root while its name is the host's, the root is read.
    package init(root: String = "/sys/fs/cgroup", membership: String = "/proc/self/cgroup") {
        let text = Self.read(membership) ?? ""
        files = text.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let group = parts[2] == "/" ? "" : String(parts[2])
            if parts[1].split(separator: ",").contains("memory") {
                return ["memory\(group)", "memory"].map { "\(root)/\($0)/memory.oom_control" }
            }
            guard parts[0] == "0", parts[1].isEmpty else { return [] }
            return [group, "/unified" + group, ""].map { "\(root)\($0)/memory.events" }
        }
    }

    /// Nil where no file tells it.
    package var count: UInt64? { files.lazy.compactMap(Self.count).first }

    private static func count(_ file: String) -> UInt64? {
        guard let text = read(file) else { return nil }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == "oom_kill" { return UInt64(words[1]) }
        }
        return nil
    }

    private static func read(_ file: String) -> String? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        return String(decoding: data.prefix(64 << 10), as: UTF8.self)
    }
}
