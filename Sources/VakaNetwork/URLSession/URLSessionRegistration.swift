// SPDX-License-Identifier: Apache-2.0
import Foundation
public import FoundationNetworking

/// What came of a registration.
public struct URLSessionRegistration: Sendable {
    /// How exchanges become known.
    public enum Mode: Hashable, Sendable {
        /// The SDK loads for the session; there is nothing to forward.
        case urlProtocol
        /// The session's delegate forwards its callbacks to `adapter`.
        case delegateForwarding
    }

    /// How its exchanges become known.
    public let mode: Mode
    /// Nil unless callbacks are to be forwarded.
    public let adapter: URLSessionNetworkCaptureAdapter?
    /// The configuration that was registered: make the session of it afterwards. A session has a copy of its own.
    public let configuration: URLSessionConfiguration

    init(_ mode: Mode, _ configuration: URLSessionConfiguration, adapter: URLSessionNetworkCaptureAdapter? = nil) {
        self.mode = mode
        self.configuration = configuration
        self.adapter = adapter
    }
}

extension NetworkCapture {
    /// Has the sessions that are made of this configuration afterwards recorded: puts the SDK's protocol directly before
    /// Foundation's own among the `protocolClasses`, once, and changes nothing else. What a class of the program that
    /// stands before it answers is not recorded. A session's delegate stays the program's, and redirects, credentials,
    /// timeouts and files are as they were. Works for data, upload and download tasks, with delegates, completion handlers
    /// and `async`. The session must be invalidated for it to stop. Not for one configuration by two threads at once.
    @discardableResult
    public func registerURLSession(_ configuration: URLSessionConfiguration) -> URLSessionRegistration {
        var classes = configuration.protocolClasses ?? []
        if !classes.contains(where: { $0 == RecordingURLProtocol.self }) {
            classes.insert(
                RecordingURLProtocol.self, at: classes.firstIndex { $0 == NativeProtocol.type } ?? classes.endIndex)
            configuration.protocolClasses = classes
        }
        if NativeProtocol.type != nil { register(.urlSession) }
        return URLSessionRegistration(.urlProtocol, configuration)
    }

    /// For a session whose configuration stays as it is, and whose delegate forwards to the adapter. Not for a registered
    /// one: its exchanges would be recorded twice. Rules are evaluated only: the program is told what they want.
    public func registerURLSessionDelegate(_ configuration: URLSessionConfiguration) -> URLSessionRegistration {
        register(.urlSessionDelegate)
        return URLSessionRegistration(
            .delegateForwarding, configuration, adapter: URLSessionNetworkCaptureAdapter(self))
    }
}
