// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import VakaModel

@testable import VakaNetwork

/// Numbers of the program's that nobody foresaw, and more exchanges than there is room for.
@Suite struct BoundTests {
    let setup = CaptureSetup()

    @Test(arguments: [Int.max, Int.max - 1, 1 << 40, 0, -1, Int.min])
    func anyBoundOfBodiesIsTaken(_ bound: Int) throws {
        setup.capture.options.capturesBodies = true
        setup.capture.options.maxBodyBytes = bound
        setup.capture.options.maxSentBodyBytes = bound
        var facts = ExchangeFacts(url: "http://h/", method: "POST")
        facts.body = { Array("hello".utf8) }
        setup.recorder.didStart("a", facts)
        setup.recorder.didReceiveBody("a", Array("abc".utf8))
        setup.recorder.didReceiveBody("a", Array("de".utf8))
        setup.recorder.didComplete("a")
        let record = try #require(setup.sink.records.first)
        #expect(record.requestBody == (bound > 0 ? "hello" : ""))
        #expect(record.responseBody == (bound > 0 ? "abcde" : "") && record.responseBodySize == 5)
    }

    @Test func noMoreThanAMebibyteOfABodyIsKept() throws {
        setup.capture.options.capturesBodies = true
        setup.capture.options.maxBodyBytes = .max
        setup.capture.options.maxSentBodyBytes = .max
        var facts = ExchangeFacts(url: "http://h/", method: "POST")
        facts.body = { [UInt8](repeating: 0x61, count: 2 << 20) }
        setup.recorder.didStart("a", facts)
        for _ in 0..<3 { setup.recorder.didReceiveBody("a", [UInt8](repeating: 0x62, count: 1 << 20)) }
        setup.recorder.didComplete("a")
        let record = try #require(setup.sink.records.first)
        #expect(record.requestBody?.utf8.count == 1 << 20 && record.responseBody?.utf8.count == 1 << 20)
        #expect(record.responseBodySize == 3 << 20)
    }

    @Test func countsThatAreTooLargeAreTheLargest() throws {
        for _ in 0..<2 { setup.recorder.didStart("a", ExchangeFacts(url: "http://h/", method: "GET")) }
        for _ in 0..<2 { setup.recorder.didSendBody("a", bytes: .max) }
        setup.recorder.didSendBody("a", bytes: .min)
        setup.recorder.didComplete("a")
        #expect(setup.sink.records.first?.requestBodySize == .max)
        let adapter = setup.capture.registerSocket()
        adapter.didStart("h:1", connectionId: "s")
        for _ in 0..<3 {
            adapter.didSend(.max, connectionId: "s")
            adapter.didReceive(.max, connectionId: "s")
            adapter.didReceive(-1, connectionId: "s")
        }
        adapter.forward(.closed, connectionId: "s")
        let end = try #require(setup.sink.terminals.last)
        #expect(end.requestBodySize == .max && end.responseBodySize == .max)
    }

    @Test func tenThousandAtOnceAreRecordedOrCounted() {
        let (recorder, all) = (setup.recorder, 10_000)
        DispatchQueue.concurrentPerform(iterations: all) { number in
            recorder.didStart("\(number)", ExchangeFacts(url: "http://h/\(number)", method: "GET"))
        }
        #expect(recorder.openCount == OpenExchanges.limit)
        #expect(setup.sink.state.withLock { $0.lost } == Int64(all - OpenExchanges.limit))
        // Of those that were turned away no crash tells.
        #expect(setup.sink.inFlight.count <= 32 && !setup.sink.inFlight.isEmpty)
        DispatchQueue.concurrentPerform(iterations: all) { recorder.didComplete("\($0)") }
        #expect(recorder.openCount == 0 && setup.sink.terminals.count == OpenExchanges.limit)
        #expect(setup.sink.inFlight.isEmpty)
    }
}
