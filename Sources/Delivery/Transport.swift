// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// One request: a POST, or with an empty body a GET.
package struct TransportRequest: Sendable {
    package var url: String
    package var headers: [String: String]
    package var body: Data
    /// For the whole exchange.
    package var timeout: Duration
    /// Asked while it is under way, at least once a second, on the thread that sends: true breaks it off, and nothing more of
    /// the body is sent.
    package var isUnwanted: (@Sendable () -> Bool)?

    package init(
        url: String, headers: [String: String], body: Data, timeout: Duration,
        isUnwanted: (@Sendable () -> Bool)? = nil
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.isUnwanted = isUnwanted
    }
}

/// What the other end answered, whatever it was.
package struct TransportAnswer: Hashable, Sendable {
    package var status: Int
    /// The value of the `Retry-After` header.
    package var retryAfter: String?
    package var body: Data

    package init(status: Int, retryAfter: String? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// No answer came: not reachable, cut, too slow.
package struct TransportFailure: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Carries batches over HTTP. Redirects are never followed: a key goes where its owner sent it.
package protocol Transport: Sendable {
    /// Blocks until the answer is there or the time is over. Called on one thread at a time.
    func send(_ request: TransportRequest) throws(TransportFailure) -> TransportAnswer
}
