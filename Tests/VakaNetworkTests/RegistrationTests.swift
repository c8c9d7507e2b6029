// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing

@testable import VakaNetwork

/// What a registration does to a configuration, and what not.
@Suite struct RegistrationTests {
    let setup = CaptureSetup()

    @Test func theProtocolStandsFirstOnceAndNothingElseChanges() {
        let configuration = URLSessionConfiguration.ephemeral
        let plain = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7
        configuration.httpAdditionalHeaders = ["X-Own": "a"]
        for _ in 0..<3 { setup.capture.registerURLSession(configuration) }
        let classes = configuration.protocolClasses ?? []
        #expect(classes.first == RecordingURLProtocol.self)
        #expect(classes.count == (plain.protocolClasses ?? []).count + 1)
        #expect(configuration.timeoutIntervalForRequest == 7)
        #expect(configuration.httpAdditionalHeaders?.count == 1)
        // A session has a copy of its own.
        let session = URLSession(configuration: configuration)
        #expect(session.configuration.protocolClasses?.first == RecordingURLProtocol.self)
        #expect(session.delegate == nil)
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
        #expect(session.configuration.protocolClasses?.first == RecordingURLProtocol.self)
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
