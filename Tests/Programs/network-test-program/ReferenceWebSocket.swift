// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import VakaNetwork

/// A WebSocket client over a plain socket, as far as RFC 6455 needs it here: whole messages, masked as clients must.
// The descriptor never changes; what reads and what writes have a queue each.
final class ReferenceWebSocket: WebSocketTransport, @unchecked Sendable {
    struct Failure: Error {
        var what: String
    }

    let address: String
    let status: Int
    private let descriptor: Int32
    private let reading = DispatchQueue(label: "websocket.read")
    private let writing = DispatchQueue(label: "websocket.write")

    /// Connects, and shakes hands.
    init(port: Int, path: String) throws {
        address = "ws://127.0.0.1:\(port)\(path)"
        descriptor = try connectedSocket(port)
        let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        let head =
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\r\n"
        try Self.write(descriptor, Array(head.utf8))
        var answer: [UInt8] = []
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) { answer += try Self.read(descriptor, 1) }
        let words = String(decoding: answer, as: UTF8.self).split(separator: " ")
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        guard status == 101 else { throw Failure(what: "status \(status)") }
    }

    func send(_ message: WebSocketMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        let (opcode, bytes): (UInt8, [UInt8]) =
            switch message {
            case .text(let text): (1, Array(text.utf8))
            case .data(let data): (2, Array(data))
            }
        writing.async { [self] in
            do {
                try Self.write(descriptor, Self.frame(opcode, bytes))
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    func receive(completionHandler: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        reading.async { [self] in completionHandler(Result { try next() }) }
    }

    func close(code: Int, reason: Data?) {
        let body = [UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)] + Array(reason ?? Data())
        writing.async { [self] in
            try? Self.write(descriptor, Self.frame(8, body))
            shutdown(descriptor, Int32(SHUT_WR))
        }
    }

    func reset() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func next() throws -> WebSocketMessage {
        while true {
            let head = try Self.read(descriptor, 2)
            var length = Int(head[1] & 0x7F)
            if length == 126 { length = try Self.read(descriptor, 2).reduce(0) { $0 << 8 | Int($1) } }
            guard length < 1 << 20 else { throw Failure(what: "a long frame") }
            let body = try Self.read(descriptor, length)
            switch head[0] & 0x0F {
            case 1: return .text(String(decoding: body, as: UTF8.self))
            case 2: return .data(Data(body))
            case 8: throw Failure(what: "closed")
            default: continue
            }
        }
    }

    private static func frame(_ opcode: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        let mask = (0..<4).map { _ in UInt8.random(in: 0...255) }
        let length: [UInt8] =
            bytes.count < 126
            ? [UInt8(bytes.count) | 0x80] : [126 | 0x80, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        return [opcode | 0x80] + length + mask + bytes.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    private static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws {
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(what: "cannot send") }
            left = left.dropFirst(count)
        }
    }

    private static func read(_ descriptor: Int32, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let more = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress?.advanced(by: got), count - got, 0)
            }
            guard more > 0 else { throw Failure(what: "the end") }
            got += more
        }
        return bytes
    }
}

/// A `sockaddr` of a port on loopback, byte for byte.
func loopback(_ port: Int) -> [UInt8] {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafeBytes(of: address) { Array($0) }
}

func newSocket() -> Int32 { Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

private func connectedSocket(_ port: Int) throws -> Int32 {
    let descriptor = newSocket()
    let status = loopback(port).withUnsafeBytes { bytes -> Int32 in
        guard let start = bytes.baseAddress else { return -1 }
        return connect(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard status == 0 else { throw ReferenceWebSocket.Failure(what: "cannot connect") }
    return descriptor
}
