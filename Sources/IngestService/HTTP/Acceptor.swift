// SPDX-License-Identifier: Apache-2.0
import CLinux
import EventStore
import Glibc
import Synchronization

/// Takes connections, which libmicrohttpd's threads are given in turn. Left to themselves, the thread that is awake when many
/// clients connect takes them all, and serves them alone for as long as they stay.
final class Acceptor: @unchecked Sendable {  // the pipe is made before the thread, and closed after it
    /// Takes over a connection from an address; false where it was closed instead.
    typealias Add = @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool

    private static let pause: Int32 = 20

    private let listener: Int32
    private let add: Add
    private let isFull: @Sendable () -> Bool
    private let tellProblem: @Sendable (String) -> Void
    /// Its second end is closed to end the thread.
    private var wake: [Int32] = [-1, -1]
    private let isDone = Mutex(false)

    /// - Parameter isFull: who comes then waits in the system's queue.
    init(
        _ listener: Int32, add: @escaping Add, isFull: @escaping @Sendable () -> Bool,
        tellProblem: @escaping @Sendable (String) -> Void
    ) {
        self.listener = listener
        self.add = add
        self.isFull = isFull
        self.tellProblem = tellProblem
    }

    /// False where there can be no thread.
    func start() -> Bool {
        guard vaka_pipe(&wake) == 0 else { return false }
        return startThread { [self] in
            while takeWaiting() {}
            isDone.withLock { $0 = true }
        }
    }

    /// No connection is taken when this returns. The socket stays open.
    func stop() {
        close(wake[1])
        while !isDone.withLock({ $0 }) { usleep(1000) }
        close(wake[0])
    }

    /// Takes those that are there. False at the end.
    private func takeWaiting() -> Bool {
        let isFull = isFull()
        var events = [
            pollfd(fd: wake[0], events: 0, revents: 0),
            pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&events, 2, isFull ? Self.pause : -1) >= 0 || errno == EINTR else { return pauseAfterFailure() }
        guard events[0].revents == 0 else { return false }
        guard events[1].revents != 0 else { return true }
        var taken = 0
        while taken < 16, take() { taken += 1 }
        return true
    }

    /// False where nobody waits, or none can be taken.
    private func take() -> Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let connection = vaka_accept_from(listener, address, &size)
                guard connection >= 0 else {
                    if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { _ = pauseAfterFailure() }
                    return false
                }
                return add(connection, address, size)
            }
        }
    }

    /// Descriptors or memory are short, which passes.
    private func pauseAfterFailure() -> Bool {
        tellProblem(String(cString: strerror(errno)))
        usleep(useconds_t(Self.pause) * 1000)
        return true
    }
}
