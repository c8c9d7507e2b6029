// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking

// Sendable as its superclass is, of which it changes nothing.
/// A session whose tasks are recorded, whatever their kind; otherwise a session like any other.
public final class RecordingURLSession: URLSession, @unchecked Sendable {
    /// A session with a copy of the configuration, which is registered; the one that is given stays as it is.
    public static func make(
        configuration: URLSessionConfiguration = .default, delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil
    ) -> RecordingURLSession {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        NetworkCapture.shared.registerURLSession(copy)
        return RecordingURLSession(configuration: copy, delegate: delegate, delegateQueue: delegateQueue)
    }
}
