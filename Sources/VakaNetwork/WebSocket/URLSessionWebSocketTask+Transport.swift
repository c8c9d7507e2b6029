// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking
import Glibc

extension URLSessionWebSocketTask: WebSocketTransport {
    public var address: String { originalRequest?.url?.absoluteString ?? "" }

    public func send(_ message: WebSocketMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        switch message {
        case .text(let text): send(Message.string(text), completionHandler: completionHandler)
        case .data(let data): send(Message.data(data), completionHandler: completionHandler)
        }
    }

    public func receive(completionHandler: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        receive { (result: Result<Message, any Error>) in
            completionHandler(
                result.map { message in
                    switch message {
                    case .string(let text): .text(text)
                    case .data(let data): .data(data)
                    @unknown default: .data(Data())
                    }
                })
        }
    }

    public func close(code: Int, reason: Data?) {
        cancel(with: CloseCode(rawValue: code) ?? .goingAway, reason: reason)
    }

    public func reset() { cancel() }

    /// Whether these tasks work on this machine: Foundation has them done by libcurl, which may be built without. Asked of the
    /// library that is loaded.
    public static var isSupported: Bool {
        typealias Version = @convention(c) (Int32) -> UnsafeRawPointer?
        // FoundationNetworking has loaded the library.
        guard let symbol = dlsym(nil, "curl_version_info"),
            let information = unsafeBitCast(symbol, to: Version.self)(0)
        else { return false }
        // int, text, unsigned, text, int, text, long, text, then the list of protocols, as it has been since version 7.10.
        let list = information.load(fromByteOffset: 64, as: UnsafePointer<UnsafePointer<CChar>?>?.self)
        guard var next = list else { return false }
        while let name = next.pointee {
            if strcmp(name, "ws") == 0 { return true }
            next += 1
        }
        return false
    }
}
