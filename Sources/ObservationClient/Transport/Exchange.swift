// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// One request to a program of this machine, and its answer. Blocks, at most for the time that is given.
struct Exchange: Sendable {
    let endpoint: ObservationEndpoint

    func send(
        _ method: String, _ path: String, body: [UInt8] = [], within time: Duration
    ) throws(ExchangeProblem) -> Reply {
        let deadline = ContinuousClock.now + time
        let descriptor = try connect(until: deadline)
        defer { close(descriptor) }
        try write(request(method, path, body), to: descriptor, until: deadline)
        let bytes = try read(descriptor, until: deadline)
        guard let reply = Reply(bytes) else { throw .noAnswer("the answer is no HTTP/1.1 answer") }
        return reply
    }

    private func request(_ method: String, _ path: String, _ body: [UInt8]) -> [UInt8] {
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close", "Content-Length: \(body.count)"]
        switch endpoint {
        case .socket: lines.append("Host: localhost")
        case .loopback(let port, let token):
            lines += ["Host: 127.0.0.1:\(port)", "Authorization: Bearer " + token.filter { $0 > " " && $0.isASCII }]
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private func connect(until deadline: ContinuousClock.Instant) throws(ExchangeProblem) -> Int32 {
        let descriptor: Int32
        let time = Int(max(1, (deadline - .now) / .milliseconds(1)))
        switch endpoint {
        case .socket(let path):
            var information = stat()
            guard lstat(path, &information) == 0 else {
                throw .unreachable("\(path): \(String(cString: strerror(errno)))")
            }
            // Another user's would see what is typed.
            guard information.st_mode & S_IFMT == S_IFSOCK, information.st_uid == geteuid() else {
                throw .unreachable("\(path) is no socket of this user's")
            }
            descriptor = vaka_connect_local(path, time)
        case .loopback(let port, _): descriptor = vaka_connect_loopback(port, time)
        }
        if descriptor < 0, errno == EAGAIN || errno == EINPROGRESS { throw .outOfTime }
        guard descriptor >= 0 else { throw .unreachable("cannot connect: \(String(cString: strerror(errno)))") }
        return descriptor
    }

    private func write(
        _ bytes: [UInt8], to descriptor: Int32, until deadline: ContinuousClock.Instant
    ) throws(ExchangeProblem) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { vaka_send(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count > 0 {
                sent += count
            } else if errno == EPIPE || errno == ECONNRESET {
                // It was refused before it was whole; why is to be read.
                return
            } else {
                try wait(descriptor, Int16(POLLOUT), until: deadline)
            }
        }
    }

    private func read(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant
    ) throws(ExchangeProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let length = buffer.withUnsafeMutableBytes { vaka_receive(descriptor, $0.baseAddress, $0.count) }
            if length == 0 { return bytes }
            if length > 0 {
                bytes += buffer[..<length]
                guard bytes.count <= Reply.longestHead + Reply.longestBody else {
                    throw .noAnswer("the answer is longer than \(Reply.longestBody) bytes")
                }
            } else {
                try wait(descriptor, Int16(POLLIN), until: deadline)
            }
        }
    }

    private func wait(
        _ descriptor: Int32, _ events: Int16, until deadline: ContinuousClock.Instant
    ) throws(ExchangeProblem) {
        let error = errno
        guard error == EAGAIN || error == EWOULDBLOCK || error == EINTR else {
            throw .noAnswer("the connection broke: \(String(cString: strerror(error)))")
        }
        let left = (deadline - .now) / .milliseconds(1)
        guard left > 0 else { throw .outOfTime }
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        _ = poll(&entry, 1, Int32(min(left, 60_000)) + 1)
    }
}
