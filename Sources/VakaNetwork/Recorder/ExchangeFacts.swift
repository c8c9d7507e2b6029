// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// What is known of an exchange when it begins.
public struct ExchangeFacts: Sendable {
    /// The address; records have it without user, password, query and fragment.
    public var url: String
    /// What a transport without methods has in its place: `CONNECT`, `OPEN`.
    public var method: String
    /// As `http`, `websocket` or `socket`; by default the address's scheme.
    public var protocolName: String?
    /// The same for every exchange of a connection.
    public var connectionID: String?
    /// Of the request; those with credentials are redacted.
    public var headers: [String: String]
    /// Bytes; nil where that is not known.
    public var bodySize: Int64?
    /// Looked at only while bodies are captured.
    public var body: (@Sendable () -> [UInt8])?
    /// Whatever else is worth knowing; it is not changed.
    public var metadata: [String: JSONValue]

    /// The rest is set afterwards.
    public init(url: String, method: String, headers: [String: String] = [:]) {
        self.url = url
        self.method = method
        self.headers = headers
        metadata = [:]
    }
}

/// What is known of the answer.
public struct AnswerFacts: Sendable {
    /// Nil of protocols that have none.
    public var statusCode: Int?
    /// Those with credentials are redacted.
    public var headers: [String: String]
    /// The kind of the body, as `application/json`.
    public var contentType: String?

    /// The head of an answer.
    public init(statusCode: Int?, headers: [String: String] = [:], contentType: String? = nil) {
        self.statusCode = statusCode
        self.headers = headers
        self.contentType = contentType
    }
}
