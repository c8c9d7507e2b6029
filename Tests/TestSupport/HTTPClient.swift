// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc

/// A small HTTP/1.1 client over a blocking socket, one connection a request: it sends what a test says, also nonsense.
package struct HTTPClient: Sendable {
    /// An answer, or what came of one.
    package struct Response: Sendable {
        package var status: Int
        /// By lowercase name; of several with one name, the last.
        package var headers: [String: String]
        package var body: Data

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package let host: String
    package let port: UInt16

    /// For `http://A.B.C.D:PORT`.
    package init(url: String) throws {
        let parts = url.split(separator: "/").last?.split(separator: ":") ?? []
        guard parts.count == 2, let port = UInt16(parts[1]) else {
            throw ChildProcess.Failure(description: "not http://HOST:PORT: \(url)")
        }
        host = String(parts[0])
        self.port = port
    }

    /// Sends a request with a length and reads the answer.
    package func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data = Data()
    ) throws -> Response {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method != "GET" { head += "Content-Length: \(body.count)\r\n" }
        return try parse(exchange(Data((head + "\r\n").utf8) + body))
    }

    /// Sends bytes as they are and reads until the other side closes; with `half`, says first that nothing follows.
    package func exchange(_ bytes: Data, half: Bool = false) throws -> Data {
        let descriptor = try connect(seconds: half ? 3 : 60)
        defer { close(descriptor) }
        // A server may answer and close before it has read everything.
        _ = write(bytes, to: descriptor)
        if half { shutdown(descriptor, Int32(SHUT_WR)) }
        var answer = Data()
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            answer.append(contentsOf: chunk[..<count])
        }
        return answer
    }

    /// A connected socket whose calls wait at most `seconds`; the caller closes it.
    package func connect(seconds: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw ChildProcess.Failure(description: "cannot connect to \(host):\(port): \(reason)")
        }
        return descriptor
    }

    private func write(_ data: Data, to descriptor: Int32) -> Bool {
        let bytes = [UInt8](data)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func parse(_ answer: Data) throws -> Response {
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else {
            throw ChildProcess.Failure(description: "no answer from \(host):\(port): \(answer.count) bytes")
        }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw ChildProcess.Failure(description: "no status line: \(lines.first ?? "")")
        }
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        return Response(
            status: status, headers: Dictionary(headers, uniquingKeysWith: { _, last in last }),
            body: Data(answer[end.upperBound...]))
    }
}
