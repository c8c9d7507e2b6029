// SPDX-License-Identifier: Apache-2.0
import Testing
import Vaka
import VakaModel

@testable import VakaNetwork

/// The story of one exchange.
@Suite struct RecorderTests {
    let setup = CaptureSetup()

    private func start(_ id: String = "a", url: String = "https://host.example:8443/a/b?c=d#e") {
        var facts = ExchangeFacts(url: url, method: "POST", headers: ["AUTHORIZATION": "Bearer x", "Accept": "*/*"])
        facts.bodySize = 5
        facts.body = { Array("hello".utf8) }
        setup.recorder.didStart(id, facts)
    }

    @Test func anExchangeIsOneRecordAtItsEnd() throws {
        start()
        #expect(setup.sink.records.isEmpty && setup.sink.state.withLock { $0.begun.count } == 1)
        setup.recorder.didReceiveResponse("a", AnswerFacts(statusCode: 201, contentType: "text/plain"))
        setup.recorder.didReceiveBody("a", Array("abc".utf8))
        setup.recorder.didReceiveBody("a", Array("de".utf8))
        setup.recorder.didComplete("a")
        let record = try #require(setup.sink.records.first)
        #expect(setup.sink.records.count == 1)
        #expect(record.url == "https://host.example:8443/a/b" && record.host == "host.example" && record.path == "/a/b")
        #expect(record.method == "POST" && record.protocolName == "https" && record.requestID == "a")
        #expect(record.statusCode == 201 && record.contentType == "text/plain")
        #expect(record.requestBodySize == 5 && record.responseBodySize == 5)
        #expect(record.phase == .completed && record.error == nil)
        #expect(try #require(record.durationMilliseconds) >= 0)
        // Neither headers nor bodies unless asked for.
        #expect(record.requestHeaders == nil && record.responseHeaders == nil)
        #expect(record.requestBody == nil && record.responseBody == nil)
    }

    @Test func aSecondTerminalCallbackIsDropped() {
        let ends: [(NetworkCaptureRecorder) -> Void] = [
            { $0.didComplete("a") }, { $0.didFail("a", error: "x") }, { $0.didCancel("a") },
        ]
        for first in ends {
            for second in ends {
                let setup = CaptureSetup()
                setup.recorder.didStart("a", ExchangeFacts(url: "http://h/", method: "GET"))
                first(setup.recorder)
                second(setup.recorder)
                setup.recorder.didReceiveBody("a", [1])
                setup.recorder.didStart("a", ExchangeFacts(url: "http://h/", method: "GET"))
                setup.recorder.didComplete("a")
                #expect(setup.sink.records.count == 1)
                #expect(setup.recorder.openCount == 0)
            }
        }
    }

    @Test func eachStepIsToldWhereThatIsAskedForWithRisingNumbers() {
        setup.capture.options.recordsEveryStep = true
        start()
        setup.recorder.didReceiveResponse("a", AnswerFacts(statusCode: 200))
        setup.recorder.didFail("a", error: "gone")
        #expect(setup.sink.story == ["started", "progress", "failed"])
        let numbers = setup.sink.records.compactMap(\.sequenceNumber)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
        #expect(Set(setup.sink.records.map(\.requestID)) == ["a"])
        #expect(setup.sink.records.last?.error == "gone")
    }

    @Test func credentialHeadersAreReplacedInAnyCase() {
        setup.capture.options.capturesHeaders = true
        let names = [
            "Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", "X-Api-Key", "x-auth-token", "X-CSRF-Token",
        ]
        var facts = ExchangeFacts(url: "http://h/", method: "GET")
        facts.headers = Dictionary(uniqueKeysWithValues: names.map { ($0, "secret") } + [("Accept", "a")])
        setup.recorder.didStart("a", facts)
        setup.recorder.didReceiveResponse("a", AnswerFacts(statusCode: 200, headers: facts.headers))
        setup.recorder.didComplete("a")
        for headers in [setup.sink.records.first?.requestHeaders, setup.sink.records.first?.responseHeaders] {
            #expect(headers?["Accept"] == "a")
            #expect(names.allSatisfy { headers?[$0] == "<redacted>" })
        }
    }

    @Test func headersStillRequireOptIn() {
        var record = NetworkRequestEvent(timestamp: .now, url: "http://h/", method: "GET")
        record.requestHeaders = ["Accept": "a"]
        setup.capture.recordRequest(record)
        #expect(setup.sink.records.first?.requestHeaders == nil)
    }

    @Test func bodiesAreCapturedOnlyWhenEnabledAndWithinTheBound() {
        setup.capture.options.capturesBodies = true
        start("a")
        setup.recorder.didReceiveBody("a", Array(repeating: 0x61, count: 40_000))
        setup.recorder.didReceiveBody("a", Array(repeating: 0x62, count: 40_000))
        setup.recorder.didComplete("a")
        let record = setup.sink.records.first
        #expect(record?.requestBody == "hello")
        #expect(record?.responseBody == String(repeating: "a", count: 32 * 1024))
        #expect(record?.responseBodySize == 80_000)
    }

    @Test func aBodyOfTheCallersMayComeBackToTheRecorder() {
        for isKept in [false, true] {
            setup.capture.options.capturesBodies = isKept
            let id = "\(isKept)"
            start(id)
            setup.recorder.didReceiveBody(id, CallingBytes(recorder: setup.recorder, id: id))
            setup.recorder.didComplete(id)
            let record = setup.sink.records.last
            #expect(record?.responseBodySize == 3 && record?.responseBody == (isKept ? "aaa" : nil))
            #expect(record?.metadata?["looked"] == true)
        }
    }

    @Test func theSharedEmitterAppliesItsBoundAgain() {
        setup.capture.options.capturesBodies = true
        setup.capture.options.maxSentBodyBytes = 4
        start("a")
        setup.recorder.didReceiveBody("a", Array("aé€x".utf8))
        setup.recorder.didComplete("a")
        #expect(setup.sink.records.first?.requestBody == "hell")
        // Never half a character.
        #expect(setup.sink.records.first?.responseBody == "aé")
    }

    @Test func aBodyThatIsNoTextIsNotKept() {
        setup.capture.options.capturesBodies = true
        start("a")
        setup.recorder.didReceiveBody("a", [0xFF, 0xFE, 0x00])
        setup.recorder.didComplete("a")
        #expect(setup.sink.records.first?.responseBody == nil && setup.sink.records.first?.responseBodySize == 3)
    }

    @Test func aBoundWithinACharacterCutsBeforeIt() {
        #expect(BodyText.text(Array("aé€😀".utf8), limit: 6) == "aé€")
        #expect(BodyText.text(Array("aé€😀".utf8), limit: 8) == "aé€")
        #expect(BodyText.text(Array("aé€😀".utf8), limit: 10) == "aé€😀")
        #expect(BodyText.text(Array("aé".utf8), limit: 0) == "")
        #expect(BodyText.text([0x80, 0x80, 0x80, 0x80, 0x80], limit: 3) == nil)
        #expect(BodyText.truncate("aé€😀", limit: 5) == "aé")
        #expect(BodyText.truncate("aé", limit: 0) == "")
    }

    @Test func aManualRecordGetsTheSamePolicy() {
        setup.capture.options.capturesHeaders = true
        setup.capture.options.maxSentBodyBytes = 3
        var record = NetworkRequestEvent(timestamp: .now, url: "http://u:p@h/x?y#z", method: "GET", requestID: "m")
        record.requestHeaders = ["cookie": "secret"]
        record.path = "/x?y"
        record.requestBody = "hello"
        setup.capture.recordRequest(record)
        #expect(setup.sink.records.first?.requestHeaders == ["cookie": "<redacted>"])
        #expect(setup.sink.records.first?.url == "http://h/x" && setup.sink.records.first?.path == "/x")
        // Bodies are off.
        #expect(setup.sink.records.first?.requestBody == nil)
        setup.capture.options.capturesBodies = true
        setup.capture.recordRequest(record)
        #expect(setup.sink.records.last?.requestBody == "hel")
        // A crash takes it along.
        #expect(setup.sink.state.withLock { $0.ended.count } == 2)
    }

    @Test func metadataIsLeftAsItIsButForTheMeasuring() {
        var record = NetworkRequestEvent(timestamp: .now, url: "http://h/", method: "GET", requestID: "m")
        record.metadata = ["url": "http://u:p@h/?token", "nested": ["a": [1, .null]]]
        setup.capture.recordRequest(record)
        let expected = record.metadata?.merging(["measured": false]) { $1 }
        #expect(setup.sink.records.first?.metadata == expected)
        var facts = ExchangeFacts(url: "http://h/", method: "GET")
        facts.metadata = ["own": "?"]
        setup.recorder.didStart("a", facts)
        setup.recorder.didComplete("a")
        #expect(setup.sink.records.last?.metadata == ["own": "?", "phase": "completed", "measured": false])
    }

    @Test func nothingIsRecordedWhileCaptureIsOff() {
        setup.capture.isEnabled = false
        start()
        setup.recorder.didComplete("a")
        setup.capture.recordRequest(NetworkRequestEvent(timestamp: .now, url: "http://h/", method: "GET"))
        #expect(setup.sink.records.isEmpty && setup.recorder.openCount == 0)
        // What began before it was switched off is not told either.
        setup.capture.isEnabled = true
        start("b")
        setup.capture.isEnabled = false
        setup.recorder.didComplete("b")
        #expect(setup.sink.records.isEmpty && setup.recorder.openCount == 0)
    }

    @Test func whatIsInFlightWhenCaptureIsSwitchedOffLeavesNothing() {
        setup.capture.options.recordsEveryStep = true
        for isOwnSwitch in [true, false] {
            let id = "\(isOwnSwitch)"
            start(id)
            #expect(setup.sink.slotCount == 1)
            let told = setup.sink.records.count
            if isOwnSwitch {
                setup.capture.isEnabled = false
            } else {
                setup.sink.set { $0.captures = false }
                // As the observer of the SDK does.
                setup.recorder.captureChanged()
            }
            #expect(setup.sink.slotCount == 0)
            setup.recorder.didReceiveResponse(id, AnswerFacts(statusCode: 200))
            setup.recorder.didComplete(id)
            #expect(setup.sink.records.count == told && setup.sink.slotCount == 0 && setup.recorder.openCount == 0)
            setup.capture.isEnabled = true
        }
        // A change that leaves it on changes nothing of what lasts.
        setup.sink.set { $0.captures = true }
        start("on")
        setup.recorder.captureChanged()
        setup.capture.isEnabled = true
        #expect(setup.sink.slotCount == 1)
    }

    @Test func tooManyAtATimeAreCounted() {
        for number in 0..<OpenExchanges.limit + 3 { start("\(number)") }
        #expect(setup.recorder.openCount == OpenExchanges.limit)
        #expect(setup.sink.state.withLock { $0.lost } == 3)
        for number in 0..<OpenExchanges.limit { setup.recorder.didComplete("\(number)") }
        #expect(setup.recorder.openCount == 0)
        // Room again, and the first names are forgotten.
        start("again")
        #expect(setup.recorder.openCount == 1)
    }

    @Test func theMemoryOfAnIdThatBeganAnewIsAsLongAsOfAnyOther() {
        var exchanges = OpenExchanges()
        for number in 0..<OpenExchanges.limit + 7 { _ = exchanges.end("before \(number)") }
        for _ in 0..<3 {
            exchanges.forget("c")
            _ = exchanges.end("c")
        }
        // None of the others is forgotten for it but the oldest.
        #expect(exchanges.beginning(of: "before 7") == .begun && exchanges.beginning(of: "before 8") == .known)
        for number in 1..<OpenExchanges.limit { _ = exchanges.end("after \(number)") }
        #expect(exchanges.beginning(of: "c") == .known && exchanges.beginning(of: "after 1") == .known)
        _ = exchanges.end("one more")
        #expect(exchanges.beginning(of: "c") == .begun && exchanges.beginning(of: "after 1") == .known)
    }

    @Test(arguments: [
        (
            "https://user:secret@host.example:8443/a/b?token=secret#secret", "https://host.example:8443/a/b",
            "host.example"
        ),
        ("HTTP://HOST/", "http://HOST/", "host"), ("http://[::1]:80/x?y", "http://[::1]:80/x", "::1"),
        ("https://h?secret", "https://h", "h"), ("http://a@b@h/x", "http://h/x", "h"),
        ("user:secret@127.0.0.1:5432", "127.0.0.1:5432", "127.0.0.1"), ("/run/x.sock?y", "/run/x.sock", ""),
        ("", "", ""),
        ("http://u:p@/x", "http:///x", ""),
    ])
    func userPasswordQueryAndFragmentAreRemoved(_ address: String, _ url: String, _ host: String) {
        #expect(Address(address, keepsAll: false).url == url)
        #expect(Address(address, keepsAll: false).host ?? "" == host)
    }

    @Test func theyStayWhereTheProjectOptedIn() {
        setup.sink.set { $0.keepsWholeURLs = true }
        start("a", url: "http://u:p@h/x?y#z")
        setup.recorder.didComplete("a")
        #expect(setup.sink.records.first?.url == "http://u:p@h/x?y#z")
    }
}

/// Three bytes that tell the recorder when they are looked at.
private struct CallingBytes: Collection {
    let recorder: NetworkCaptureRecorder
    let id: String

    var startIndex: Int { 0 }
    var endIndex: Int {
        recorder.note(id, ["looked": true])
        return 3
    }
    func index(after index: Int) -> Int { index + 1 }
    subscript(_: Int) -> UInt8 { 0x61 }
}
