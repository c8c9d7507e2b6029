// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// One request to the service.
package struct HTTPRequest {
    package enum Body {
        case none
        case data(Data)
        /// From an open file's start; `bytes` is its size.
        case file(descriptor: Int32, bytes: UInt64)
    }

    package var url: String
    package var headers: [String: String]
    package var body: Body
    /// Of the whole exchange; nil for a long transfer, which ends when nothing moves for a minute.
    package var timeout: Duration?
    /// Called with the bytes sent and their total, on the calling thread, many times a second.
    package var progress: ((_ sent: Int64, _ total: Int64) -> Void)?
    /// Called likewise, and once a second where nothing moves: true breaks the request off.
    package var isUnwanted: (() -> Bool)?

    package init(
        url: String, headers: [String: String] = [:], body: Body = .none, timeout: Duration? = .seconds(60),
        progress: ((_ sent: Int64, _ total: Int64) -> Void)? = nil, isUnwanted: (() -> Bool)? = nil
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.progress = progress
        self.isUnwanted = isUnwanted
    }
}
