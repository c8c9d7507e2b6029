// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Tells when something may have come to be in storage folders: by inotify(7), and at the latest after a while, since
/// what another machine does to a network's file system is not told. Not thread-safe.
package final class FolderNotifier {
    /// A process that ends is told of before its locks are gone.
    private static let settling: useconds_t = 50_000
    private static let remote: Set<Int> = [
        0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546, 0x0102_1997, 0x00c3_6400, 0x0bd0_0bd0,
    ]

    private let descriptor: Int32
    private let longest: Duration

    /// Of the folders' subfolders; those must be there.
    package init(_ folders: [String]) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        var isComplete = descriptor >= 0
        for folder in folders {
            isComplete = isComplete && !Self.isRemote(folder)
            for (name, mask) in [
                ("crashes", IN_MOVED_TO | IN_CLOSE_WRITE), ("runs", IN_CLOSE_WRITE), ("pending", IN_MOVED_TO),
            ] {
                isComplete = inotify_add_watch(descriptor, "\(folder)/\(name)", UInt32(mask)) >= 0 && isComplete
            }
        }
        longest = isComplete ? .seconds(10) : .seconds(2)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns when something came, or after the shorter of the times.
    package func wait(atMost time: Duration? = nil) {
        let wait = min(time ?? longest, longest)
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, Int32(clamping: Int64(wait / .milliseconds(1)))) > 0 else { return }
        usleep(Self.settling)
        var events = [UInt8](repeating: 0, count: 16 << 10)
        while read(descriptor, &events, events.count) > 0 {}
    }

    private static func isRemote(_ folder: String) -> Bool {
        var status = statfs()
        return statfs(folder, &status) == 0 && remote.contains(Int(status.f_type))
    }
}
