// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc

/// The kernel's count of processes that it killed for memory: a line of cgroup v1's `memory.oom_control`, or of v2's
/// `memory.events` and `memory.events.local`.
package enum KillCount {
    /// Where control groups are mounted: `VAKA_CGROUP_ROOT`, else `/sys/fs/cgroup`.
    package static var root: String {
        guard let named = getenv("VAKA_CGROUP_ROOT").map({ String(cString: $0) }), named.hasPrefix("/") else {
            return "/sys/fs/cgroup"
        }
        return named
    }

    /// Nil where the file is no regular one or does not tell.
    package static func read(_ path: String) -> UInt64? {
        guard BoundedFile.isRegular(path), let bytes = try? BoundedFile.read(path, limit: 64 << 10) else { return nil }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            if words.count == 2, words[0] == "oom_kill" { return UInt64(words[1]) }
        }
        return nil
    }
}
