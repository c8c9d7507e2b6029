// SPDX-License-Identifier: Apache-2.0
public import Dispatch
import Foundation
import Glibc
import VakaModel

/// Records what goes over a stream socket: its connection, what is sent and received, and its end, under one id.
///
/// The descriptor stays the program's: nothing is closed here. Any thread may call it; it holds nothing of the connection.
public struct SocketNetworkCaptureAdapter: Sendable {
    private let capture: NetworkCapture

    init(_ capture: NetworkCapture) {
        self.capture = capture
    }

    private var recorder: NetworkCaptureRecorder { capture.recorder }

    // MARK: The connection, by the adapter

    /// Connects as connect(2) does, on `queue`, and tells errno there: 0 where it is connected, EINPROGRESS where the
    /// descriptor does not block; then forward the state.
    ///
    /// A rule may have it wait; or fail: then it is never connected but shut down, and `onFault` is told ECONNRESET, ETIMEDOUT,
    /// EHOSTUNREACH or ECONNREFUSED, and `completion` nothing. Where the connection's end is forwarded while it waits, nothing
    /// is done any more, and neither is told. `address` is a `sockaddr` of any family, byte for byte, `endpoint`
    /// its name for people, such as `db.example.com:5432`. With `requestId`, the exchange of that id is told what
    /// a rule did to the connection; where it has not begun, the connection is.
    public func start(
        _ descriptor: Int32, address: [UInt8], queue: DispatchQueue, endpoint: String, connectionId: String,
        requestId: String? = nil, onFault: @escaping @Sendable (Int32) -> Void,
        completion: @escaping @Sendable (Int32) -> Void
    ) {
        recorder.startAnew(connectionId, Self.facts(connectionId, endpoint))
        let fault = capture.context.decide(FaultSubject(.socket, method: "CONNECT", url: endpoint))
        if let fault, !(requestId.map { recorder.noted($0, fault.metadata) } ?? false) {
            recorder.note(connectionId, fault.metadata)
        }
        let go: @Sendable () -> Void = { [self] in
            if let error = fail(fault, descriptor, connectionId) { return onFault(error) }
            let error = Self.connect(descriptor, address)
            forward(error == 0 ? .ready : error == EINPROGRESS ? .waiting(error) : .failed(error), connectionId)
            completion(error)
        }
        if let fault, fault.isApplied, fault.delay > .zero {
            let story = recorder.story(of: connectionId)
            Later.run(after: fault.delay) {
                queue.async {
                    // The descriptor may be another socket's once the program is done with the connection.
                    guard let story, story == recorder.story(of: connectionId) else { return }
                    go()
                }
            }
        } else {
            queue.async(execute: go)
        }
    }

    private static func connect(_ descriptor: Int32, _ address: [UInt8]) -> Int32 {
        guard address.count >= MemoryLayout<sa_family_t>.size else { return EINVAL }
        return address.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return EINVAL }
            while true {
                let status = Glibc.connect(
                    descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
                if status == 0 { return 0 }
                if errno != EINTR { return errno }
            }
        }
    }

    private func fail(_ fault: FaultDecision?, _ descriptor: Int32, _ id: String) -> Int32? {
        guard let fault, fault.isApplied, fault.fault != .latency else { return nil }
        recorder.note(id, fault.metadata)
        recorder.didFail(id, error: fault.errorText)
        shutdown(descriptor, Int32(SHUT_RDWR))
        return fault.fault.socketError
    }

    // MARK: Bytes, by the adapter

    /// Sends as send(2) does, and returns what it returns; what was sent is recorded.
    public func send(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32, connectionId: String) -> Int {
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 {
            moved(count, .send, connectionId) { [UInt8](bytes.prefix(count)) }
        }
        return count
    }

    /// Receives as recv(2) does, and returns what it returns; what came is recorded.
    public func receive(into buffer: UnsafeMutableRawBufferPointer, on descriptor: Int32, connectionId: String) -> Int {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            moved(count, .receive, connectionId) { [UInt8](buffer.prefix(count)) }
        }
        return count
    }

    // MARK: What the program forwards

    /// The program connects the socket itself.
    public func didStart(_ endpoint: String, connectionId: String) {
        recorder.startAnew(connectionId, Self.facts(connectionId, endpoint))
    }

    /// Its state is another. `failed`, `closed` and `cancelled` end its story; what comes for it afterwards is dropped.
    public func forward(_ state: SocketState, connectionId: String) { forward(state, connectionId) }

    /// So many bytes were sent.
    public func didSend(_ count: Int, connectionId: String) { moved(count, .send, connectionId) { nil } }

    /// So many bytes came.
    public func didReceive(_ count: Int, connectionId: String) { moved(count, .receive, connectionId) { nil } }

    /// What a rule wants of a connection to there: the program must do it, and nothing is done here.
    public func evaluateFault(_ endpoint: String) -> FaultDecision? {
        capture.context.decide(FaultSubject(.socket, method: "CONNECT", url: endpoint))
    }

    // MARK: The one place for each

    private static func facts(_ id: String, _ endpoint: String) -> ExchangeFacts {
        var facts = ExchangeFacts(url: endpoint, method: "CONNECT")
        facts.protocolName = "socket"
        facts.connectionID = id
        return facts
    }

    private func forward(_ state: SocketState, _ id: String) {
        switch state {
        case .ready: recorder.didAdvance(id, ["state": "ready"])
        case .waiting(let error): recorder.didAdvance(id, ["state": "waiting", "errno": .integer(Int64(error))])
        case .failed(let error): recorder.didFail(id, error: "errno \(error): " + String(cString: strerror(error)))
        case .closed: recorder.didComplete(id)
        case .cancelled: recorder.didCancel(id)
        }
    }

    private func moved(
        _ count: Int, _ direction: NetworkDirection, _ id: String, _ bytes: () -> [UInt8]?
    ) {
        guard count >= 0 else { return }
        recorder.recordFrame(id, direction, size: count, body: bytes, metadata: [:], error: nil)
    }
}

extension FaultRule.Fault {
    /// As a connection would tell it.
    var socketError: Int32 {
        switch self {
        case .error(.connectionReset): ECONNRESET
        case .error(.timeout): ETIMEDOUT
        case .error(.hostUnreachable): EHOSTUNREACH
        default: ECONNREFUSED
        }
    }
}

extension NetworkCapture {
    /// An adapter for stream sockets. Each call gives another one.
    public func registerSocket() -> SocketNetworkCaptureAdapter {
        register(.socket)
        return SocketNetworkCaptureAdapter(self)
    }
}
