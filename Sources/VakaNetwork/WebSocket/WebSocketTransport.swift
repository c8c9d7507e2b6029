// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One message.
public enum WebSocketMessage: Hashable, Sendable {
    /// As text.
    case text(String)
    /// As bytes.
    case data(Data)

    var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let data): Array(data)
        }
    }

    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}

/// What the adapter needs of a WebSocket client. `URLSessionWebSocketTask` is one.
public protocol WebSocketTransport: AnyObject, Sendable {
    /// Where it is connected to, as `wss://host/path`.
    var address: String { get }
    /// Sends a message, and tells when it has left.
    func send(_ message: WebSocketMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Waits for one message.
    func receive(completionHandler: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void)
    /// Closes with a status code of RFC 6455.
    func close(code: Int, reason: Data?)
    /// Breaks the connection off.
    func reset()
}
