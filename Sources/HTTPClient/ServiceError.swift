// SPDX-License-Identifier: Apache-2.0
/// A request to the service that did not do what it should.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// libcurl cannot be loaded.
        case libraryMissing
        case badURL
        case unreachable
        case timedOut
        /// The connection was cut before the answer.
        case broken
        /// The file to send cannot be read.
        case fileUnreadable
        /// 401 or 403.
        case unauthorized
        /// 404: no such route or project.
        case notFound
        /// 413.
        case tooLarge
        /// 429, still, at the end of the time for retries.
        case limited
        /// Another 4xx.
        case refused
        /// 5xx, still, at the end of the time for retries.
        case serverFailed
        /// An answer that is none of the contract's.
        case badAnswer
    }

    package let code: Code
    /// What failed, and what to do.
    package let message: String
    package var status: Int?
    /// The service's own word for it, such as `no_build_id`.
    package var serverCode: String?

    package init(_ code: Code, _ message: String, status: Int? = nil, serverCode: String? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.serverCode = serverCode
    }

    package var description: String { message }

    /// Whether the same request may succeed a little later.
    package var mayPass: Bool {
        switch code {
        case .unreachable, .timedOut, .broken, .limited, .serverFailed: true
        default: false
        }
    }
}
