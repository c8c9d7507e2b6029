// SPDX-License-Identifier: Apache-2.0
import CMicroHTTPD
import CTLS
import Glibc
import VakaModel

/// libmicrohttpd, told what to do: it reads and writes, handlers run on the executor's threads.
final class HTTPServer: @unchecked Sendable {  // immutable but for the daemon, which start and stop set in order
    let service: Service
    let door: FrontDoor
    let requests = OpenRequests()
    /// Those whose connection is suspended.
    private let handled = OpenRequests()
    private let executor: Executor
    private let socket: ListeningSocket
    private var daemon: OpaquePointer?
    private var acceptor: Acceptor?

    init(service: Service, door: FrontDoor, socket: ListeningSocket) {
        self.service = service
        self.door = door
        self.socket = socket
        // Handlers wait for the disk: so many share a commit.
        executor = Executor(threads: 64, mostQueued: 1024)
    }

    func start() throws(ServiceError) {
        let limits = service.options.limits
        let connections = OpenFiles.connections(limits.connections)
        if connections < limits.connections {
            service.log.warning(
                "connections_limited",
                "takes \(connections) connections at once, not \(limits.connections): raise the limit of open files "
                    + "(ulimit -n, LimitNOFILE=)",
                ["connections": .integer(Int64(connections)), "wanted": .integer(Int64(limits.connections))])
        }
        var configuration = vaka_mhd_config(
            listen_socket: socket.descriptor, threads: 2, connections: UInt32(connections),
            timeout_seconds: UInt32(limits.idleSeconds), connection_memory: 32 << 10,
            certificate_callback: service.options.tls == nil ? nil : vaka_tls_certificate_callback())
        daemon = vaka_mhd_start(
            &configuration, accessHandler, completionHandler, Unmanaged.passUnretained(self).toOpaque())
        guard let daemon else { throw ServiceError("cannot start the HTTP server on \(service.listeningURL)") }
        // What accepts is our own.
        MHD_quiesce_daemon(daemon)
        let (log, handle) = (service.log, DaemonHandle(daemon))
        let acceptor = Acceptor(
            socket.descriptor, add: { MHD_add_connection(handle.pointer, $0, $1, $2) == .YES },
            isFull: { vaka_mhd_connections(handle.pointer) >= connections },
            tellProblem: { log.warning("connection_not_taken", "a connection cannot be taken: \($0)", [:]) })
        guard acceptor.start() else { throw ServiceError("cannot start a thread for \(service.listeningURL)") }
        self.acceptor = acceptor
    }

    /// Takes no new connections, finishes what is under way, then closes. Who connects to a socket that was handed over
    /// waits for the next server.
    func stop() {
        guard let daemon else { return }
        acceptor?.stop()
        requests.drain(seconds: 10)
        // A connection whose handler still runs is suspended, and must not be torn down: the process ends anyway.
        if executor.stop(seconds: 20), handled.drain(seconds: 20) { MHD_stop_daemon(daemon) }
        close(socket.descriptor)
        self.daemon = nil
    }

    /// libmicrohttpd's call for each step of a request.
    func step(
        _ connection: OpaquePointer, _ exchange: Exchange, _ bytes: UnsafeRawBufferPointer,
        taken: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        if !bytes.isEmpty {
            taken.pointee = 0
            guard exchange.receive(bytes) else { return .NO }
            guard let response = exchange.refusalToTellNow else { return .YES }
            return tell(response, exchange, on: connection) ? .YES : .NO
        }
        switch exchange.phase {
        case .receiving:
            handle(connection, exchange)
            return .YES
        case .refused(let response, _), .answered(let response):
            exchange.phase = .sent
            exchange.count(response, service.metrics)
            return send(response, on: connection)
        case .told:
            return .NO
        case .handling, .sent:
            return .YES
        }
    }

    /// Answers while the body still arrives, which libmicrohttpd does not do: straight on the connection, which then
    /// ends. What follows is dropped for a while, so that the client comes to read the answer.
    private func tell(_ response: HTTPResponse, _ exchange: Exchange, on connection: OpaquePointer) -> Bool {
        exchange.phase = .told(dropped: 0)
        exchange.count(response, service.metrics)
        let bytes = response.closingBytes
        return bytes.withUnsafeBytes { bytes in
            if let session = vaka_mhd_tls_session(connection) {
                return vaka_tls_finish(session, bytes.baseAddress, bytes.count) == 0
            }
            let descriptor = vaka_mhd_descriptor(connection)
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            guard Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags) == bytes.count else { return false }
            return shutdown(descriptor, Int32(SHUT_WR)) == 0
        }
    }

    /// The connection is suspended until it is answered. What needs no wait is done at once, all else elsewhere.
    private func handle(_ connection: OpaquePointer, _ exchange: Exchange) {
        exchange.phase = .handling
        let handle = ConnectionHandle(connection)
        MHD_suspend_connection(connection)
        handled.begin()
        let tell: @Sendable (HTTPResponse) -> Void = { [handled] response in
            exchange.phase = .answered(response)
            MHD_resume_connection(handle.pointer)
            handled.end()
        }
        let service = service
        if exchange.answerAtOnce(in: service, then: tell) { return }
        guard !executor.submit({ exchange.answer(in: service, then: tell) }) else { return }
        tell(APIError.unavailable("the server is busy; try again").response)
    }

    /// At the first call an answer may be given without reading the body: for one too large to be dropped, and for a
    /// client that asks first.
    func answersAtOnce(_ exchange: Exchange) -> HTTPResponse? {
        guard case .refused(let response, _) = exchange.phase else { return nil }
        let length = exchange.request.contentLength ?? 0
        let asks = exchange.request.header("expect") != nil
        return asks || length > Int64(FrontDoor.mostDropped) ? response : nil
    }

    func send(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
        guard let answer = Self.make(response) else { return .NO }
        defer { MHD_destroy_response(answer) }
        for header in response.headers {
            // A line break in a value would begin a header of its own; libmicrohttpd refuses such values.
            MHD_add_response_header(answer, header.name, header.value)
        }
        if requests.isEnding { MHD_add_response_header(answer, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(response.status), answer)
    }

    private static func make(_ response: HTTPResponse) -> OpaquePointer? {
        switch response.body {
        case .data(let data):
            return data.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let path, let offset, let bytes):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            return MHD_create_response_from_fd_at_offset64(bytes, descriptor, offset)
        }
    }
}

/// The daemon, used until the acceptor's end.
private struct DaemonHandle: @unchecked Sendable {  // libmicrohttpd allows adding from any thread
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

/// A connection's pointer on its way to the handler's thread.
private struct ConnectionHandle: @unchecked Sendable {  // libmicrohttpd allows resuming from any thread
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
