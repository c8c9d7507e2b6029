// SPDX-License-Identifier: Apache-2.0

/// The service's answer to a batch: 202 once what it accepted is durable.
public struct IngestReply: Codable, Hashable, Sendable {
    /// An item that was not accepted, and why; the others were.
    public struct Rejection: Codable, Hashable, Sendable {
        public var index: Int
        public var code: String
        public var reason: String

        public init(index: Int, code: String, reason: String) {
            self.index = index
            self.code = code
            self.reason = reason
        }
    }

    public var accepted: Int
    @Defaulted public var rejected: [Rejection]
    @Defaulted public var directives: [JSONValue]

    public init(accepted: Int, rejected: [Rejection] = [], directives: [JSONValue] = []) {
        self.accepted = accepted
        self.rejected = rejected
        self.directives = directives
    }
}

/// The body of every error answer.
public struct ErrorReply: Codable, Hashable, Sendable {
    public struct Body: Codable, Hashable, Sendable {
        /// A snake_case word that programs may rely on.
        public var code: String
        /// What is wrong and how to mend it.
        public var message: String
    }

    public var error: Body

    public init(code: String, message: String) {
        error = Body(code: code, message: message)
    }
}
