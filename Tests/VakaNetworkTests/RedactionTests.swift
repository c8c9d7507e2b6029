// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing
import Vaka
import VakaModel

@testable import VakaNetwork

/// What is taken out of headers, addresses and errors, in their odder forms, too.
@Suite struct RedactionTests {
    let setup = CaptureSetup()

    private func record(
        _ headers: [String: String] = [:], answer: [String: String] = [:], error: String? = nil
    ) throws -> NetworkRequestEvent {
        setup.capture.options.capturesHeaders = true
        setup.recorder.didStart("a", ExchangeFacts(url: "http://h/", method: "GET", headers: headers))
        setup.recorder.didReceiveResponse("a", AnswerFacts(statusCode: 200, headers: answer))
        if let error { setup.recorder.didFail("a", error: error) } else { setup.recorder.didComplete("a") }
        return try #require(setup.sink.records.last)
    }

    @Test func aCredentialIsOneHoweverItsNameIsWritten() throws {
        let names = [
            "Set-Cookie", "set-cookie", "SET-COOKIE", " Cookie", "cookie\t", "coo\u{212A}ie", "Proxy-Authorization ",
            "X-API-KEY", "x-Auth-Token", "x-csrf-token", "authorization\r\n",
        ]
        let headers = Dictionary(uniqueKeysWithValues: names.map { ($0, "secret, secret; Path=/") })
        let told = try record(headers.merging(["Cookies": "kept", "X-Cookie": "kept"]) { $1 }, answer: headers)
        for name in names {
            #expect(
                told.requestHeaders?[name] == "<redacted>" && told.responseHeaders?[name] == "<redacted>", "\(name)")
        }
        #expect(told.requestHeaders?["Cookies"] == "kept" && told.requestHeaders?["X-Cookie"] == "kept")
    }

    @Test func addressesInHeadersLoseWhatOthersLose() throws {
        let answer = [
            "Location": "/elsewhere?token=secret#secret", "content-location": "https://me:secret@h/x?secret",
            "Link": "<https://me:secret@h/next?token=secret>; rel=\"next\"", "ETag": "\"a?b\"",
        ]
        let told = try record(["Referer": "http://h/form?secret", "Accept": "a/b;q=0.5"], answer: answer)
        #expect(told.requestHeaders == ["Referer": "http://h/form", "Accept": "a/b;q=0.5"])
        #expect(
            told.responseHeaders == [
                "Location": "/elsewhere", "content-location": "https://h/x", "Link": "<https://h/next>; rel=\"next\"",
                "ETag": "\"a?b\"",
            ])
        setup.sink.set { $0.keepsWholeURLs = true }
        setup.recorder.didStart(
            "b", ExchangeFacts(url: "http://h/", method: "GET", headers: ["Referer": "http://h/?q"]))
        setup.recorder.didComplete("b")
        #expect(setup.sink.records.last?.requestHeaders == ["Referer": "http://h/?q"])
    }

    @Test func addressesInHeadersNeedNoScheme() throws {
        let told = try record(answer: [
            "Link": "</items?after=secret>; rel=next, <https://h/x?q=it's&sig=secret>; rel=\"last\"",
            "Refresh": "0;url=/cb?token=secret", "Location": "//me:secret@h/cb",
            "X-From": "https://h/x?q=it's&sig=secret",
        ])
        #expect(
            told.responseHeaders == [
                "Link": "</items>; rel=next, <https://h/x>; rel=\"last\"", "Refresh": "0;url=/cb",
                "Location": "//h/cb", "X-From": "https://h/x",
            ])
    }

    @Test(arguments: [
        ("5", "5"), ("5; URL = '/cb?secret'", "5; URL = '/cb"), ("5, /cb?secret", "5, /cb"), ("5;", "5;"),
        ("5;url=//me:secret@h/", "5;url=//h/"), ("5;url", "5;url"),
    ]) func aRefreshNamesItsAddressInSeveralWays(_ value: String, _ told: String) {
        #expect(HeaderRedaction.shortened(["refresh ": value]) == ["refresh ": told])
    }

    @Test func addressesInErrorsLoseWhatOthersLose() throws {
        let told = try record(error: "cannot open 'wss://me:secret@h:1/x?token=secret#secret', http://g?secret")
        #expect(told.error == "cannot open 'wss://h:1/x', http://g")
        // A crash has the same.
        #expect(setup.sink.state.withLock { $0.ended.last?.error } == told.error)
        var manual = NetworkRequestEvent(timestamp: .now, url: "http://h/", method: "GET")
        manual.error = "no http://h/x?secret"
        setup.capture.recordRequest(manual)
        #expect(setup.sink.records.last?.error == "no http://h/x")
        setup.sink.set { $0.keepsWholeURLs = true }
        setup.capture.recordRequest(manual)
        #expect(setup.sink.records.last?.error == manual.error)
    }

    @Test func theFailingAddressOfAnErrorIsNoPartOfItsText() throws {
        let url = try #require(URL(string: "http://me:secret@h/x?token=secret"))
        let failing: [String: Any] = [NSURLErrorFailingURLErrorKey: url, "NSErrorFailingURLStringKey": "\(url)"]
        for error in [
            URLError(.timedOut, userInfo: failing) as any Error,
            NSError(domain: NSURLErrorDomain, code: -1004, userInfo: failing),
        ] {
            #expect(!ErrorText.of(error).contains("secret"), "\(ErrorText.of(error))")
        }
        let described = NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "no \(url)"])
        #expect(try record(error: ErrorText.of(described)).error == "d 1: no http://h/x")
    }

    @Test func aHandshakesHeadersAreHeaders() throws {
        setup.capture.options.capturesHeaders = true
        let adapter = setup.capture.registerWebSocket()
        adapter.didOpen(
            "wss://me:secret@h/x?token=secret", connectionId: "w",
            headers: ["SET-cookie": "secret", "Sec-WebSocket-Accept": "kept"])
        adapter.didFail(
            connectionId: "w",
            error: NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "wss://h/x?secret broke"]))
        let end = try #require(setup.sink.terminals.first)
        #expect(end.responseHeaders == ["SET-cookie": "<redacted>", "Sec-WebSocket-Accept": "kept"])
        #expect(end.url == "wss://h/x" && end.error == "d 1: wss://h/x broke")
    }

    @Test(arguments: [
        ("http://me:sec/ret@h/x", "http://me"), ("http://me:sec?ret@h/x", "http://me"),
        ("http://me:s#t@h", "http://me"),
        ("http://h:/x", "http://h:/x"), ("http://[fe80::1%25eth0]/x?y", "http://[fe80::1%25eth0]/x"),
        ("::1", "::1"), ("http://h:80", "http://h:80"), ("mailto:me", "mailto:me"),
        ("data:text/plain?x", "data:text/plain"),
        ("http://h:٨٠/x", "http://h"),
        ("//me:pw@h/cb?x", "//h/cb"), ("http:///me:pw@h/x", "http:///h/x"), ("http:/me:pw@h/x", "http:/h/x"),
        ("http:\\\\me:pw@h/x", "http:\\\\h/x"), ("http://a@/b:pw@h/x", "http://h/x"), ("/a@b", "/a@b"),
        ("http://h/a@b", "http://h/a@b"), ("http://me:pa'ss@h/", "http://h/"),
    ]) func whatIsNoPortMayBeAPassword(_ text: String, _ url: String) {
        #expect(Address(text, keepsAll: false).url == url)
    }

    @Test(arguments: [
        ("no address", "no address"), ("", ""), ("://", "://"), ("a://", "a://"),
        ("é http://ü:p@h/é?x é", "é http://h/é é"),
        ("http://a?b>http://c?d", "http://a>http://c"), ("x\nhttp://u:p@h\ny", "x\nhttp://h\ny"),
        ("1://2://3?4", "1://2://3"),
        ("no https://h/p?name=O'Brien&code=s3cret here", "no https://h/p here"),
        ("at http://me:pa'ss@h/ it broke", "at http://h/ it broke"), ("'http://h/x?a', b", "'http://h/x', b"),
        ("'https://h/p?name=O'Brien&code=s3cret'.", "'https://h/p'."), ("`http://h/x?a` b", "`http://h/x` b"),
        ("http://h/?q={a}&code=s3cret b", "http://h/ b"), ("{http://h/?a} b", "{http://h/} b"),
    ]) func addressesAreFoundInTexts(_ text: String, _ told: String) {
        #expect(AddressText.shortened(text) == told)
    }
}
