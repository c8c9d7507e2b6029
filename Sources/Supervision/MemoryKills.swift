// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Delivery

/// How many processes of this process's control group the kernel has killed for memory, by cgroup v1's
/// `memory.oom_control` or v2's `memory.events`.
package struct MemoryKills: Sendable {
    private let files: [String]

    /// `root` is where the hierarchies are mounted, `/sys/fs/cgroup` usually. Where a container sees its own group as
    /// the root while its name is the host's, the root is read.
    package init(root: String, membership: String = "/proc/self/cgroup") {
        let bytes = (try? BoundedFile.read(membership, limit: 64 << 10)) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
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
    package var count: UInt64? { files.lazy.compactMap(KillCount.read).first }
}
