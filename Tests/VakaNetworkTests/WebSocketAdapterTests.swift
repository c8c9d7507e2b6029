// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Synchronization
import Testing
import VakaModel

@testable import VakaNetwork

/// Messages over a connection, recorded and made to fail.
@Suite struct WebSocketAdapterTests {
    let setup = CaptureSetup()
    let socket = FakeWebSocket()
    let adapter: WebSocketNetworkCaptureAdapter

    init() {
        adapter = setup.capture.registerWebSocket()
    }

    private func send(_ text: String = "hello") async -> (any Error)? {
        await withCheckedContinuation { done in
            adapter.send(.text(text), on: socket, connectionId: "c") { done.resume(returning: $0) }
        }
    }

    private func receive() async -> Result<WebSocketMessage, any Error> {
        await withCheckedContinuation { done in
            adapter.receive(on: socket, connectionId: "c") { done.resume(returning: $0) }
        }
    }

    private func rule(
        _ fault: FaultRule.Fault, delay: Duration = .zero, limit: Int? = nil, _ direction: NetworkDirection? = nil
    ) {
        setup.capture.addFaultRule(
            FaultRule(id: "r", match: .init(direction: direction), fault: fault, delay: delay, limit: limit))
    }

    @Test func aConnectionIsOneOrderedStory() async throws {
        adapter.didOpen(socket.address, connectionId: "c", headers: ["Sec-WebSocket-Accept": "x"], subprotocol: "chat")
        socket.state.withLock { $0.toReceive = [.data(Data([1, 2, 3]))] }
        #expect(await send() == nil)
        #expect(try await receive().get() == .data(Data([1, 2, 3])))
        adapter.didClose(connectionId: "c", code: 1000)
        #expect(setup.sink.story == ["started", "SEND progress", "RECEIVE progress", "completed"])
        let records = setup.sink.records
        #expect(Set(records.map(\.requestID)).count == 1 && Set(records.map(\.connectionID)) == ["c"])
        #expect(Set(records.map(\.url)) == ["wss://chat.example/room"])
        #expect(records[1].requestBodySize == 5 && records[1].metadata?["opcode"] == "text")
        #expect(records[2].responseBodySize == 3 && records[2].metadata?["opcode"] == "binary")
        let last = try #require(records.last)
        #expect(last.requestBodySize == 5 && last.responseBodySize == 3 && last.statusCode == 101)
        #expect(last.metadata?["close_code"] == 1000 && last.metadata?["subprotocol"] == "chat")
    }

    @Test func withoutARuleItCallsStraightThroughOnTheCallersThread() {
        let isDone = Mutex(false)
        adapter.send(.text("x"), on: socket, connectionId: "c") { _ in isDone.withLock { $0 = true } }
        #expect(isDone.withLock { $0 })
        #expect(socket.state.withLock { $0.sent } == [.text("x")])
    }

    @Test func latencyHoldsTheFrameForItsDelay() async {
        rule(.latency, delay: .milliseconds(80))
        let start = ContinuousClock.now
        #expect(await send() == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(80))
        #expect(socket.state.withLock { $0.sent.count } == 1)
        let frame = setup.sink.records.last
        #expect(frame?.metadata?["fault_id"] == "r" && frame?.metadata?["fault_outcome"] == "applied")
        #expect(frame?.metadata?["fault_delay_ms"] == .number(80) && frame?.error == nil)
    }

    @Test(arguments: [FaultRule.Fault.closeConnection, .error(.timeout), .error(.connectionRefused)])
    func failuresCloseWithGoingAwayAndTellThatTheConnectionIsLost(_ fault: FaultRule.Fault) async throws {
        rule(fault, limit: 1)
        #expect((await send() as? URLError)?.code == .networkConnectionLost)
        #expect(socket.state.withLock { $0.closed } == [1001] && socket.state.withLock { $0.resets } == 0)
        #expect(socket.state.withLock { $0.sent.isEmpty })
        let failed = try #require(setup.sink.terminals.first)
        #expect(failed.phase == .failed && failed.error == "fault:r:\(fault.action)")
        #expect(failed.metadata?["fault_action"] == .string(fault.action.rawValue))
        // The program's own end comes second.
        adapter.didClose(connectionId: "c")
        #expect(setup.sink.terminals.count == 1)
    }

    @Test func aResetErrorTypeResets() async {
        rule(.error(.connectionReset))
        #expect((await send() as? URLError)?.code == .networkConnectionLost)
        #expect(socket.state.withLock { $0.resets } == 1 && socket.state.withLock { $0.closed.isEmpty })
    }

    @Test func rulesMatchByDirection() async {
        rule(.closeConnection, .receive)
        socket.state.withLock { $0.toReceive = [.text("x")] }
        #expect(await send() == nil)
        guard case .failure(let error) = await receive() else {
            Issue.record("the rule is for what is received")
            return
        }
        #expect((error as? URLError)?.code == .networkConnectionLost)
        #expect(socket.state.withLock { $0.toReceive.count } == 1)
    }

    @Test func noRuleTakesEffectWhileCaptureIsOff() async {
        rule(.closeConnection)
        setup.capture.isEnabled = false
        #expect(await send() == nil)
        setup.capture.isEnabled = true
        setup.sink.state.withLock { $0.settings = nil }
        #expect(await send() == nil)
        #expect(socket.state.withLock { $0.sent.count } == 2 && setup.capture.faultRules.count == 1)
    }

    @Test func anUnsupportedActionIsRecordedAndNotApplied() async {
        rule(.status(500), delay: .seconds(60))
        #expect(await send() == nil)
        #expect(setup.sink.records.last?.metadata?["fault_outcome"] == "unsupported")
        #expect(setup.sink.records.last?.error == nil)
    }

    @Test func forwardingOnlyMethodsNeverChangeTraffic() {
        rule(.closeConnection)
        adapter.didOpen(socket.address, connectionId: "c")
        adapter.recordFrame(.text("abc"), direction: .receive, connectionId: "c")
        #expect(adapter.evaluateFault(socket.address, direction: .send)?.fault == .closeConnection)
        #expect(socket.state.withLock { $0.closed.isEmpty && $0.resets == 0 })
        #expect(setup.sink.story == ["started", "RECEIVE progress"])
    }

    @Test func eachDecisionIsEvaluatedOnce() async {
        rule(.latency, limit: 2)
        for _ in 0..<4 { #expect(await send() == nil) }
        let met = setup.sink.records.filter { $0.metadata?["fault_id"] != nil }
        #expect(met.count == 2)
    }

    @Test func aSendThatFailsIsToldSo() async {
        adapter.didOpen(socket.address, connectionId: "c")
        socket.close(code: 1000, reason: nil)
        #expect(await send() is FakeWebSocket.Ended)
        #expect(setup.sink.records.last?.error != nil && setup.sink.records.last?.phase == .progress)
        adapter.didFail(connectionId: "c", error: FakeWebSocket.Ended())
        #expect(setup.sink.terminals.first?.requestBodySize == 0)
    }

    @Test func eachRegistrationGivesAnAdapterAndTwoOfThemRecordTwice() {
        let other = setup.capture.registerWebSocket()
        adapter.didOpen(socket.address, connectionId: "c")
        adapter.recordFrame(.text("a"), direction: .send, connectionId: "c")
        other.recordFrame(.text("a"), direction: .send, connectionId: "c")
        #expect(setup.sink.story == ["started", "SEND progress", "SEND progress"])
    }

    @Test func aConnectionOfAnIdThatHasEndedIsAnother() {
        for _ in 0..<2 {
            adapter.didOpen(socket.address, connectionId: "c")
            adapter.didClose(connectionId: "c")
        }
        #expect(setup.sink.terminals.count == 2 && Set(setup.sink.terminals.map(\.requestID)).count == 2)
    }

    @Test(arguments: [FaultRule.Fault.closeConnection, .latency])
    func whatWaitsDoesNotMeetTheNextConnectionOfItsId(_ fault: FaultRule.Fault) async {
        rule(fault, delay: .milliseconds(400), limit: 1)
        adapter.didOpen(socket.address, connectionId: "c")
        let error: (any Error)? = await withCheckedContinuation { done in
            adapter.send(.text("a"), on: socket, connectionId: "c") { done.resume(returning: $0) }
            adapter.didClose(connectionId: "c")
            adapter.didOpen(socket.address, connectionId: "c")
        }
        #expect(error == nil && socket.state.withLock { $0.closed.isEmpty && $0.sent.count == 1 })
        #expect(setup.sink.story == ["started", "completed", "started"])
        #expect(setup.recorder.story(of: "c") != nil)
    }

    /// On this machine; the library's answer is what the task itself would meet.
    @Test func urlSessionTasksAreProbedAtRunTime() async throws {
        let url = try #require(URL(string: "ws://127.0.0.1:9/"))
        let task = URLSession(configuration: .ephemeral).webSocketTask(with: url)
        task.resume()
        let error = await withCheckedContinuation { done in
            task.receive(completionHandler: { (result: Result<WebSocketMessage, any Error>) in
                if case .failure(let error) = result {
                    done.resume(returning: "\(error)")
                } else {
                    done.resume(returning: "")
                }
            })
        }
        #expect(error.contains("not supported") == !URLSessionWebSocketTask.isSupported)
    }
}
