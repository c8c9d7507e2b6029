// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
import VakaModel

/// A batch file that this process sends, from before it is read until its answer was heeded. Whoever erases items takes them
/// from the files first, and breaks off what was read before: so nothing that was erased is sent any more. Thread-safe.
final class Sending: Sendable {
    private struct State {
        /// Nil while the file is read.
        var items: [BatchItem]?
        var isBroken = false
    }

    /// A transfer that is not wanted ends within about a second.
    private static let patience = DispatchTimeInterval.seconds(5)
    private static let all = Mutex<[Sending]>([])

    private let path: String
    /// The file's, when nothing of it was read yet: who takes items out of a batch puts another file in its place.
    private let inode: ino_t?
    /// A forked child has none of the threads that send.
    private let processID = getpid()
    private let state = Mutex(State())
    private let ended = DispatchGroup()

    /// Of the file at that path; ``end()`` must follow.
    init(_ path: String) {
        self.path = path
        inode = Self.inode(path)
        ended.enter()
        Self.all.withLock { $0.append(self) }
    }

    func end() {
        Self.all.withLock { all in all.removeAll { $0 === self } }
        ended.leave()
    }

    /// What the file holds.
    func note(_ items: [BatchItem]) {
        state.withLock { $0.items = items }
    }

    /// Whether it is not to be sent any more: items of it were erased, or another process took the file away, or some of it.
    var isBroken: Bool {
        if state.withLock({ $0.isBroken }) { return true }
        guard let now = Self.inode(path) else { return true }
        return inode.map { $0 != now } ?? false
    }

    private static func inode(_ path: String) -> ino_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_ino : nil
    }

    /// Breaks off what holds such an item, or may do so, of all queues of the folder, and waits for that, though not for ever.
    static func breakOff(in folder: StorageFolder, where isRemoved: (BatchItem) -> Bool) {
        let met = all.withLock { all in all.filter { $0.isIn(folder) && $0.breakOff(where: isRemoved) } }
        let deadline = DispatchTime.now() + patience
        for sending in met { _ = sending.ended.wait(timeout: deadline) }
    }

    private func isIn(_ folder: StorageFolder) -> Bool {
        processID == getpid() && path.hasPrefix(folder.path + "/")
    }

    private func breakOff(where isRemoved: (BatchItem) -> Bool) -> Bool {
        state.withLock { state in
            guard state.items?.contains(where: isRemoved) ?? true else { return false }
            state.isBroken = true
            return true
        }
    }
}
