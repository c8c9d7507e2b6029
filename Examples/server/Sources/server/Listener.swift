// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc

struct SocketError: Error {
    let call: String
    let code = errno
}

/// Lines over TCP on loopback, each answered by a line.
struct Listener: Sendable {
    let descriptor: Int32
    let port: UInt16

    init(port: UInt16) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw SocketError(call: "socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard bound else { throw SocketError(call: "bind") }
        descriptor = socket
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Returns at once; connections are served on threads of Dispatch, each request in a task.
    func serve(_ answer: @escaping @Sendable (String) async throws -> String) {
        DispatchQueue(label: "accept").async {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { continue }
                Task { await Self.converse(connection, answer) }
            }
        }
    }

    private static func converse(_ connection: Int32, _ answer: (String) async throws -> String) async {
        defer { close(connection) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(connection, &byte, 1) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            guard let text = try? await answer(String(decoding: line, as: UTF8.self)) else { return }
            let bytes = Array((text + "\n").utf8)
            guard write(connection, bytes, bytes.count) == bytes.count else { return }
            line = []
        }
    }
}
