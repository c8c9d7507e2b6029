// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// One request to the service.
struct HTTPRequest {
    enum Body {
        case none
        case data(Data)
        /// From an open file's start; `bytes` is its size.
        case file(descriptor: Int32, bytes: UInt64)
    }

    var url: String
    var headers: [String: String] = [:]
    var body = Body.none
    /// Of the whole exchange; nil for a long transfer, which ends when nothing moves for a minute.
    var timeout: Duration? = .seconds(60)
    /// Called with the bytes sent and their total, on the calling thread, many times a second.
    var progress: ((_ sent: Int64, _ total: Int64) -> Void)?
}
