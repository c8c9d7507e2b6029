// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import VakaNetwork

/// What a registration does to a configuration, and what not.
@Suite struct RegistrationTests {
    let setup = CaptureSetup()

    @Test func theProtocolStandsBeforeFoundationsOnceAndNothingElseChanges() throws {
        let configuration = URLSessionConfiguration.ephemeral
        let plain = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7
        configuration.httpAdditionalHeaders = ["X-Own": "a"]
        for _ in 0..<3 { setup.capture.registerURLSession(configuration) }
        let classes = configuration.protocolClasses ?? []
        let place = try #require(classes.firstIndex { $0 == RecordingURLProtocol.self })
        #expect(classes[place + 1] == NativeProtocol.type)
        #expect(classes.count == (plain.protocolClasses ?? []).count + 1)
        #expect(configuration.timeoutIntervalForRequest == 7)
        #expect(configuration.httpAdditionalHeaders?.count == 1)
        // A session has a copy of its own.
        let session = URLSession(configuration: configuration)
        #expect(session.configuration.protocolClasses?.contains { $0 == RecordingURLProtocol.self } == true)
        #expect(session.delegate == nil)
    }

    @Test func aProtocolOfTheProgramAnswersAsWithoutIt() async throws {
        // Beside Foundation's classes, and in their place.
        for others in [URLSessionConfiguration.ephemeral.protocolClasses ?? [], []] {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [MadeUpProtocol.self] + others
            setup.capture.registerURLSession(configuration)
            #expect(configuration.protocolClasses?.count == others.count + 2)
            let session = URLSession(configuration: configuration)
            let url = try #require(URL(string: "http://made-up.invalid/x"))
            let (data, response) = try await session.data(from: url)
            #expect(String(decoding: data, as: UTF8.self) == "made up")
            #expect((response as? HTTPURLResponse)?.statusCode == 299)
            session.invalidateAndCancel()
        }
    }

    @Test func aProtocolRegistrationReturnsNoAdapter() {
        let configuration = URLSessionConfiguration.ephemeral
        let registration = setup.capture.registerURLSession(configuration)
        #expect(registration.mode == .urlProtocol && registration.adapter == nil)
        #expect(registration.configuration === configuration)
    }

    @Test func delegateForwardingLeavesTheConfigurationAsItIs() {
        let configuration = URLSessionConfiguration.ephemeral
        let registration = setup.capture.registerURLSessionDelegate(configuration)
        #expect(registration.mode == .delegateForwarding && registration.adapter != nil)
        #expect(configuration.protocolClasses?.contains { $0 == RecordingURLProtocol.self } == false)
    }

    @Test func aRecordingSessionHasACopyOfTheConfiguration() {
        let configuration = URLSessionConfiguration.ephemeral
        let session = RecordingURLSession.make(configuration: configuration)
        #expect(session.configuration.protocolClasses?.contains { $0 == RecordingURLProtocol.self } == true)
        #expect(configuration.protocolClasses?.contains { $0 == RecordingURLProtocol.self } == false)
        session.invalidateAndCancel()
    }

    @Test func otherSchemesAreLeftToFoundation() throws {
        for (address, isOurs) in [("http://h/", true), ("https://h/", true), ("ftp://h/", false), ("data:,x", false)] {
            let url = try #require(URL(string: address))
            #expect(RecordingURLProtocol.canInit(with: URLRequest(url: url)) == isOurs)
        }
    }
}

/// Answers for one host, as a program's tests have it.
private final class MadeUpProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "made-up.invalid" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 299, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("made up".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
