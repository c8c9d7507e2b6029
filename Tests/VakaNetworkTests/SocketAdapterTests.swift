// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
import Testing
import VakaModel

@testable import VakaNetwork

/// Real sockets on loopback.
@Suite struct SocketAdapterTests {
    let setup = CaptureSetup()
    let adapter: SocketNetworkCaptureAdapter
    let listener: Listener

    init() throws {
        adapter = setup.capture.registerSocket()
        listener = try Listener()
    }

    private enum End: Equatable {
        case connected(Int32)
        case fault(Int32)
    }

    private func start(_ descriptor: Int32, requestId: String? = nil) async -> End {
        await withCheckedContinuation { done in
            adapter.start(
                descriptor, address: listener.address, queue: .global(), endpoint: "db.example:5432", connectionId: "c",
                requestId: requestId, onFault: { done.resume(returning: End.fault($0)) },
                completion: { done.resume(returning: End.connected($0)) })
        }
    }

    private func rule(_ fault: FaultRule.Fault, delay: Duration = .zero) {
        setup.capture.addFaultRule(FaultRule(id: "r", match: .init(transport: .socket), fault: fault, delay: delay))
    }

    @Test func aConnectionIsOneOrderedStory() async throws {
        let socket = Socket()
        #expect(await start(socket.descriptor) == .connected(0))
        let other = try listener.accept()
        let text = Array("hello".utf8)
        #expect(text.withUnsafeBytes { adapter.send($0, on: socket.descriptor, connectionId: "c") } == 5)
        #expect(text.withUnsafeBytes { send(other.descriptor, $0.baseAddress, 3, 0) } == 3)
        var buffer = [UInt8](repeating: 0, count: 16)
        let got = buffer.withUnsafeMutableBytes { adapter.receive(into: $0, on: socket.descriptor, connectionId: "c") }
        #expect(got == 3)
        adapter.didSend(7, connectionId: "c")
        adapter.didReceive(1, connectionId: "c")
        adapter.forward(.closed, connectionId: "c")
        adapter.forward(.failed(EPIPE), connectionId: "c")
        #expect(
            setup.sink.story == [
                "started", "progress", "SEND progress", "RECEIVE progress", "SEND progress", "RECEIVE progress",
                "completed",
            ])
        let last = try #require(setup.sink.terminals.first)
        #expect(last.requestBodySize == 12 && last.responseBodySize == 4 && last.url == "db.example:5432")
        #expect(last.protocolName == "socket" && last.method == "CONNECT")
    }

    @Test func aPortThatNobodyListensOnIsAFailure() async {
        let socket = Socket()
        listener.close()
        #expect(await start(socket.descriptor) == .connected(ECONNREFUSED))
        #expect(setup.sink.story == ["started", "failed"])
        #expect(setup.sink.terminals.first?.error?.hasPrefix("errno \(ECONNREFUSED)") == true)
    }

    @Test func latencyDelaysTheStart() async {
        rule(.latency, delay: .milliseconds(80))
        let socket = Socket()
        let begin = ContinuousClock.now
        #expect(await start(socket.descriptor) == .connected(0))
        #expect(ContinuousClock.now - begin >= .milliseconds(80))
    }

    @Test(arguments: [
        (FaultRule.Fault.error(.connectionReset), ECONNRESET), (.error(.timeout), ETIMEDOUT),
        (.error(.hostUnreachable), EHOSTUNREACH), (.error(.connectionRefused), ECONNREFUSED),
        (.closeConnection, ECONNREFUSED),
    ])
    func failuresNeverStartTheConnection(_ fault: FaultRule.Fault, _ error: Int32) async throws {
        rule(fault)
        let socket = Socket()
        #expect(await start(socket.descriptor) == .fault(error))
        #expect(try listener.isIdle())
        #expect(setup.sink.terminals.first?.error == "fault:r:\(fault.action)")
        adapter.forward(.cancelled, connectionId: "c")
        #expect(setup.sink.story == ["started", "failed"])
    }

    /// After the end of its connection a descriptor may be another socket.
    @Test(arguments: [FaultRule.Fault.closeConnection, .latency], [false, true])
    func nothingIsDoneToTheDescriptorOfAConnectionThatEndedMeanwhile(_ fault: FaultRule.Fault, _ isAnew: Bool) async {
        rule(fault, delay: .milliseconds(30))
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let (socket, other) = (Socket(pair[0]), Socket(pair[1]))
        let queue = DispatchQueue(label: "sockets")
        let told = Mutex<[End]>([])
        adapter.start(
            socket.descriptor, address: listener.address, queue: queue, endpoint: "db.example:5432", connectionId: "c",
            onFault: { error in told.withLock { $0.append(.fault(error)) } },
            completion: { error in told.withLock { $0.append(.connected(error)) } })
        adapter.forward(.cancelled, connectionId: "c")
        if isAnew { adapter.didStart("other.example:1", connectionId: "c") }
        // One whose time comes later, on the same queue.
        let last = Socket()
        _ = await withCheckedContinuation { done in
            adapter.start(
                last.descriptor, address: listener.address, queue: queue, endpoint: "x", connectionId: "last",
                onFault: { done.resume(returning: End.fault($0)) },
                completion: { done.resume(returning: End.connected($0)) })
        }
        #expect(told.withLock { $0 }.isEmpty)
        #expect(send(socket.descriptor, "a", 1, Int32(MSG_NOSIGNAL)) == 1)
        #expect(send(other.descriptor, "a", 1, Int32(MSG_NOSIGNAL)) == 1)
        let records = setup.sink.records.filter { $0.connectionID == "c" }
        #expect(records.map(\.phase) == [.started, .cancelled] + (isAnew ? [.started] : []))
    }

    @Test func theHostsRequestIsToldWhatARuleDid() async {
        rule(.latency, delay: .milliseconds(10))
        setup.recorder.didStart("query", ExchangeFacts(url: "db.example:5432", method: "QUERY"))
        let socket = Socket()
        #expect(await start(socket.descriptor, requestId: "query") == .connected(0))
        setup.recorder.didComplete("query")
        #expect(setup.sink.terminals.first?.metadata?["fault_delay_ms"] == .number(10))
    }

    @Test func aRequestThatHasNotBegunLeavesItToTheConnection() async {
        rule(.latency, delay: .milliseconds(10))
        let socket = Socket()
        #expect(await start(socket.descriptor, requestId: "query") == .connected(0))
        adapter.forward(.closed, connectionId: "c")
        #expect(setup.sink.terminals.first?.metadata?["fault_delay_ms"] == .number(10))
    }

    @Test func anUnsupportedActionConnects() async {
        rule(.status(500))
        let socket = Socket()
        #expect(await start(socket.descriptor) == .connected(0))
        #expect(adapter.evaluateFault("db.example:5432")?.outcome == .unsupported)
        #expect(setup.sink.records.last?.metadata?["fault_outcome"] == "unsupported")
    }

    @Test func anAddressThatIsNoneIsRefused() async {
        let socket = Socket()
        let end = await withCheckedContinuation { done in
            adapter.start(
                socket.descriptor, address: [1], queue: .global(), endpoint: "x", connectionId: "c",
                onFault: { done.resume(returning: End.fault($0)) },
                completion: { done.resume(returning: End.connected($0)) })
        }
        #expect(end == .connected(EINVAL))
    }

    @Test func aSendThatFailsRecordsNothing() {
        let socket = Socket()
        adapter.didStart("x", connectionId: "c")
        #expect([UInt8]("a".utf8).withUnsafeBytes { adapter.send($0, on: socket.descriptor, connectionId: "c") } == -1)
        #expect(setup.sink.story == ["started"])
    }
}

/// A descriptor that is closed with the value.
final class Socket: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32 = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) {
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }
}

/// A port on loopback that is listened on.
final class Listener: Sendable {
    struct Failure: Error {}

    let address: [UInt8]
    private let descriptor: Int32

    init() throws {
        descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isReady = withUnsafeMutablePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(descriptor, name, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, name, &length) == 0
            }
        }
        guard isReady else { throw Failure() }
        address = withUnsafeBytes(of: name) { Array($0) }
    }

    deinit { Glibc.close(descriptor) }

    func accept() throws -> Socket {
        let other = Glibc.accept(descriptor, nil, nil)
        guard other >= 0 else { throw Failure() }
        return Socket(other)
    }

    /// Whether nobody waits to be accepted.
    func isIdle() throws -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 0
    }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
