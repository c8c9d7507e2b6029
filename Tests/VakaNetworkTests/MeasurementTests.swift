// SPDX-License-Identifier: Apache-2.0
import Testing
import VakaModel

@testable import VakaNetwork

/// Which exchanges are measured for the network's performance.
@Suite struct MeasurementTests {
    let setup = CaptureSetup()

    init() {
        setup.sink.set { $0.measures = true }
    }

    private func exchange(_ url: String, status: Int? = 200, task: String = "data") -> NetworkRequestEvent? {
        let id = "\(UInt64.random(in: 0 ... .max))"
        var facts = ExchangeFacts(url: url, method: "GET")
        facts.metadata["task"] = .string(task)
        setup.recorder.didStart(id, facts)
        if let status { setup.recorder.didReceiveResponse(id, AnswerFacts(statusCode: status)) }
        setup.recorder.didReceiveBody(id, [1, 2, 3])
        if status == nil { setup.recorder.didFail(id, error: "x") } else { setup.recorder.didComplete(id) }
        return setup.sink.records.last
    }

    private func isMeasured(_ url: String) -> Bool { exchange(url)?.metadata?["measured"] == true }

    @Test func whileTheServiceTurnsItOn() {
        #expect(isMeasured("https://a.example/x"))
        setup.sink.set { $0.measures = false }
        #expect(!isMeasured("https://a.example/x"))
    }

    @Test func whenHostsAreNamedThoseAlone() {
        setup.sink.set { $0.hosts = ["a.example", "*.b.example"] }
        #expect(isMeasured("https://A.example/x") && isMeasured("http://x.b.example:81/"))
        #expect(
            !isMeasured("https://b.example/") && !isMeasured("https://c.example/") && !isMeasured("https://xa.example/")
        )
        setup.sink.set { $0.leftOutHosts = ["a.example"] }
        #expect(!isMeasured("https://a.example/x"))
    }

    @Test func theServicesOwnHostIsSkipped() {
        setup.sink.set { $0.ownHost = "vaka.example:443" }
        #expect(!isMeasured("https://vaka.example/api") && isMeasured("https://other.example/"))
        // Another service of the same machine is another host.
        #expect(isMeasured("https://vaka.example:8443/"))
    }

    @Test func anotherSchemeThanHTTPIsSkipped() {
        #expect(!isMeasured("ftp://a.example/x") && !isMeasured("127.0.0.1:5432"))
    }

    @Test func aRequestWithoutAResponseIsNotMeasured() {
        #expect(exchange("https://a.example/", status: nil)?.metadata?["measured"] == false)
        #expect(exchange("https://a.example/", status: 500)?.metadata?["measured"] == true)
    }

    @Test func whatTheProgramMadeKnownFollowsTheSameSwitches() {
        var record = NetworkRequestEvent(timestamp: .now, url: "https://a.example/x", method: "GET")
        func measured(_ record: NetworkRequestEvent) -> JSONValue? {
            setup.capture.recordRequest(record)
            return setup.sink.records.last?.metadata?["measured"]
        }
        #expect(measured(record) == false)
        record.statusCode = 200
        #expect(measured(record) == true)
        setup.sink.set { $0.leftOutHosts = ["a.example"] }
        // Whatever the program says of it.
        record.metadata = ["measured": true]
        #expect(measured(record) == false)
        setup.sink.set { $0.leftOutHosts = [] }
        setup.sink.set { $0.measures = false }
        #expect(measured(record) == false)
        // A step of an exchange is nothing to measure.
        record.metadata = ["phase": "started"]
        #expect(measured(record) == nil)
    }

    @Test func ofADownloadTheResponseSizeIsZero() {
        let record = exchange("https://a.example/", task: "download")
        #expect(record?.responseBodySize == 0 && record?.metadata?["received_bytes"] == 3)
        #expect(exchange("https://a.example/")?.responseBodySize == 3)
    }
}
