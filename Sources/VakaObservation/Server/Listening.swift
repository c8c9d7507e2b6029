// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Synchronization

/// The thread that takes connections, and those that serve one each.
final class Listening: Sendable {
    /// Of each listener: anybody on the machine may connect to the port, and must not keep out who uses the socket.
    static let mostConnections = 32
    /// For a request to come whole, and for its answer to leave.
    static let patience = Duration.seconds(5)

    private struct State {
        /// Whether each is one of the port's, by its descriptor.
        var connections: [Int32: Bool] = [:]
        var isStopped = false
        /// Wakes the thread; nil when it does not run.
        var wake: Int32?
    }

    private let places: ListeningPlaces
    private let router: Router
    private let state = Mutex(State())

    init(_ places: ListeningPlaces, _ router: Router) {
        self.places = places
        self.router = router
    }

    func start() throws(ObservationServerError) {
        var ends: [Int32] = [-1, -1]
        let hasPipe = vaka_pipe(&ends) == 0
        let (read, write) = (ends[0], ends[1])
        if hasPipe { state.withLock { $0.wake = write } }
        guard hasPipe, DetachedThread.start({ [self] in run(until: read) }) else {
            places.removeFile()
            places.close()
            state.withLock { $0.wake = nil }
            if hasPipe { ends.forEach { close($0) } }
            throw ObservationServerError(
                description: "no thread to listen on: there are too many, or too many files open")
        }
    }

    func stop() {
        let (isFirst, wake) = state.withLock { state in
            let isFirst = !state.isStopped
            state.isStopped = true
            // They end at their next call; those who serve them close them.
            for descriptor in state.connections.keys { shutdown(descriptor, Int32(SHUT_RDWR)) }
            let wake = state.wake
            state.wake = nil
            return (isFirst, wake)
        }
        if isFirst { places.removeFile() }
        if let wake { close(wake) }
    }

    private func run(until wake: Int32) {
        let listeners = [(places.local, false), (places.loopback, true)].compactMap { descriptor, isLoopback in
            descriptor.map { (descriptor: $0, isLoopback: isLoopback) }
        }
        var entries = listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        entries.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
        while true {
            let count = poll(&entries, nfds_t(entries.count), -1)
            if count < 0, errno != EINTR { break }
            // The other end is closed by who stops it.
            if count > 0, entries[listeners.count].revents != 0 { break }
            for (index, listener) in listeners.enumerated() where count > 0 && entries[index].revents != 0 {
                accept(listener.descriptor, isLoopback: listener.isLoopback)
            }
        }
        places.close()
        close(wake)
    }

    private func accept(_ listener: Int32, isLoopback: Bool) {
        let descriptor = vaka_accept(listener)
        guard descriptor >= 0 else {
            // No more files can be opened: who waits is still there a little later.
            if errno == EMFILE || errno == ENFILE { usleep(10_000) }
            return
        }
        guard isLoopback || Self.isTrusted(descriptor), enter(descriptor, isLoopback: isLoopback) else {
            close(descriptor)
            return
        }
        let isStarted = DetachedThread.start { [self] in
            serve(descriptor, isLoopback: isLoopback)
        }
        if !isStarted { leave(descriptor) }
    }

    /// The same user, or the superuser.
    private static func isTrusted(_ descriptor: Int32) -> Bool {
        let user = vaka_peer_user(descriptor)
        return user == 0 || user == Int64(geteuid())
    }

    private func enter(_ descriptor: Int32, isLoopback: Bool) -> Bool {
        state.withLock { state in
            let open = state.connections.values.count(where: { $0 == isLoopback })
            guard !state.isStopped, open < Self.mostConnections else { return false }
            state.connections[descriptor] = isLoopback
            return true
        }
    }

    /// Closed under the lock: a stop must not end another's that got the same number.
    private func leave(_ descriptor: Int32) {
        state.withLock { state in
            state.connections[descriptor] = nil
            _ = close(descriptor)
        }
    }

    private func serve(_ descriptor: Int32, isLoopback: Bool) {
        defer { leave(descriptor) }
        var incoming = LocalConnection(descriptor, within: Self.patience)
        let response: Response
        do throws(LocalConnection.Problem) {
            let head = try incoming.head()
            switch router.place(head, isLoopback: isLoopback) {
            case .failure(let refusal): response = refusal.response
            case .success(let route):
                if head.expectsContinue, head.contentLength > 0 {
                    try incoming.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                }
                response = router.answer(route, head, body: try incoming.body(head.contentLength))
            }
        } catch {
            switch error {
            case .refused(let problem): response = Self.response(problem)
            case .outOfTime: response = .error(408, "request_timeout", "the request did not come whole in time")
            case .closed: return
            }
        }
        let outgoing = LocalConnection(descriptor, within: Self.patience)
        guard (try? outgoing.send(response.bytes)) != nil else { return }
        // What is not read when a socket closes resets it, and the answer is lost.
        shutdown(descriptor, Int32(SHUT_WR))
        outgoing.drain()
    }

    private static func response(_ problem: RequestHead.Problem) -> Response {
        switch problem {
        case .malformed: .error(400, "bad_request", "this is no HTTP/1.1 request")
        case .tooLong: .error(431, "bad_request", "the request's head is longer than \(RequestHead.longest) bytes")
        case .unsupported: .error(501, "bad_request", "send the body with its Content-Length")
        }
    }
}
