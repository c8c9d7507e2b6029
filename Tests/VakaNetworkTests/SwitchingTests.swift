// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TestSupport
import Testing
import VakaModel

@testable import VakaNetwork

/// What a crash takes along, however capture is switched while exchanges last.
@Suite struct SwitchingTests {
    let setup = CaptureSetup()

    private static func facts(_ id: String) -> ExchangeFacts { ExchangeFacts(url: "http://h/\(id)", method: "GET") }

    @Test func whatLastsIsThereAgainWhenCaptureIsSwitchedOn() {
        setup.recorder.didStart("a", Self.facts("a"))
        setup.capture.isEnabled = false
        #expect(setup.sink.inFlight == [])
        setup.capture.isEnabled = true
        #expect(setup.sink.inFlight == ["a"])
        // The service's switch.
        for captures in [false, true] {
            setup.sink.set { $0.captures = captures }
            setup.recorder.captureChanged()
        }
        #expect(setup.sink.inFlight == ["a"])
        setup.recorder.didComplete("a")
        #expect(setup.sink.inFlight == [] && setup.sink.slotCount == 1 && setup.sink.records.count == 1)
    }

    @Test func whatLastsIsTakenAlongByTheNextRunToo() {
        setup.recorder.didStart("a", Self.facts("a"))
        setup.sink.startAnew()
        #expect(setup.sink.inFlight == [])
        // As the observer of the SDK does.
        setup.recorder.captureChanged()
        #expect(setup.sink.inFlight == ["a"])
        setup.recorder.didComplete("a")
        #expect(setup.sink.inFlight == [] && setup.sink.slotCount == 1)
    }

    @Test func settingsThatChangeLeaveWhatLastsAlone() {
        setup.recorder.didStart("a", Self.facts("a"))
        let begun = setup.sink.state.withLock { $0.begun.count }
        for measures in [true, false] {
            setup.sink.set { $0.measures = measures }
            setup.recorder.captureChanged()
        }
        #expect(setup.sink.inFlight == ["a"] && setup.sink.state.withLock { $0.begun.count } == begun)
    }

    @Test func whatBeginsWhileCaptureIsOffIsNotToldInPart() {
        setup.capture.isEnabled = false
        setup.recorder.didStart("a", Self.facts("a"))
        setup.recorder.didReceiveBody("a", [1, 2])
        setup.capture.isEnabled = true
        // As an adapter does with each callback.
        setup.recorder.didStart("a", Self.facts("a"))
        setup.recorder.didReceiveBody("a", [3])
        setup.recorder.didComplete("a")
        #expect(setup.sink.records.isEmpty && setup.sink.slotCount == 0 && setup.recorder.openCount == 0)
    }

    @Test func aConnectionWhoseBeginningWasNotSeenTellsNoWhole() throws {
        let adapter = setup.capture.registerWebSocket()
        let socket = FakeWebSocket()
        for isSeen in [false, true] {
            setup.capture.isEnabled = isSeen
            adapter.didOpen(socket.address, connectionId: "c")
            setup.capture.isEnabled = true
            adapter.send(.text("abc"), on: socket, connectionId: "c") { _ in }
            #expect(setup.sink.records.last?.requestBodySize == 3)
            adapter.didClose(connectionId: "c")
            let end = try #require(setup.sink.terminals.last)
            #expect((end.requestBodySize == 3) == isSeen && (end.durationMilliseconds != nil) == isSeen)
        }
    }

    @Test func whatLastsHeedsThatAddressesAreNoLongerWhole() {
        setup.sink.set { $0.keepsWholeURLs = true }
        let adapter = setup.capture.registerWebSocket()
        adapter.didOpen("wss://h/x?token=secret", connectionId: "c")
        #expect(setup.sink.records.last?.url == "wss://h/x?token=secret")
        setup.sink.set { $0.keepsWholeURLs = false }
        // As the observer of the SDK does.
        setup.recorder.captureChanged()
        #expect(setup.sink.state.withLock { $0.begun.last?.url } == "wss://h/x" && setup.sink.slotCount == 1)
        adapter.recordFrame(.text("a"), direction: .send, connectionId: "c")
        adapter.didClose(connectionId: "c")
        #expect(setup.sink.records.map(\.url) == ["wss://h/x?token=secret", "wss://h/x", "wss://h/x"])
        #expect(setup.sink.inFlight.isEmpty && setup.sink.slotCount == 1)
    }

    /// One queue switches while others begin and end: in the end, it being on, each that lasts is there, and nothing else.
    @Test(arguments: 1...(Soak.isOn ? 2000 : 50))
    func exactlyWhatLastsIsThereHoweverItWasSwitched(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let ids = (0..<24).map { "\(seed)-\($0)" }
        let lasting = Set(ids.filter { _ in Bool.random(using: &random) })
        let (capture, recorder, sink) = (setup.capture, setup.recorder, setup.sink)
        DispatchQueue.concurrentPerform(iterations: 5) { queue in
            if queue == 4 {
                for number in 0..<100 {
                    if number % 2 == 0 {
                        capture.isEnabled.toggle()
                    } else {
                        sink.set { $0.captures.toggle() }
                        recorder.captureChanged()
                    }
                }
            } else {
                for (number, id) in ids.enumerated() where number % 4 == queue {
                    recorder.didStart(id, Self.facts(id))
                    recorder.note(id, ["n": 1])
                    if !lasting.contains(id) { recorder.didComplete(id) }
                }
            }
        }
        sink.set { $0.captures = true }
        capture.isEnabled = true
        #expect(sink.inFlight.isSubset(of: lasting) && sink.inFlight.count == recorder.openCount)
        for id in lasting { recorder.didComplete(id) }
        #expect(sink.inFlight.isEmpty && recorder.openCount == 0)
    }
}
