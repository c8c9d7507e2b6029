// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// Reads and writes a descriptor that does not block: every wait ends at a deadline.
struct LocalConnection {
    enum Problem: Error {
        case outOfTime
        case closed
        case refused(RequestHead.Problem)
    }

    let descriptor: Int32
    private let deadline: ContinuousClock.Instant
    /// What came after the head.
    private var rest: [UInt8] = []

    init(_ descriptor: Int32, within time: Duration) {
        self.descriptor = descriptor
        deadline = .now + time
    }

    mutating func head() throws(Problem) -> RequestHead {
        var bytes: [UInt8] = []
        while true {
            let known = bytes.count
            bytes += try receive(atMost: RequestHead.longest + 1 - bytes.count)
            if let end = RequestHead.end(in: bytes, from: known) {
                rest = Array(bytes[end...])
                do {
                    return try RequestHead(bytes[..<end])
                } catch {
                    throw .refused(error)
                }
            }
            guard bytes.count <= RequestHead.longest else { throw .refused(.tooLong) }
        }
    }

    mutating func body(_ count: Int) throws(Problem) -> [UInt8] {
        var bytes = rest
        while bytes.count < count { bytes += try receive(atMost: min(65_536, count - bytes.count)) }
        return Array(bytes.prefix(count))
    }

    func send(_ bytes: [UInt8]) throws(Problem) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { vaka_send(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count > 0 {
                sent += count
            } else {
                try wait(Int16(POLLOUT), errno)
            }
        }
    }

    private func receive(atMost count: Int) throws(Problem) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
        while true {
            let length = buffer.withUnsafeMutableBytes { vaka_receive(descriptor, $0.baseAddress, $0.count) }
            if length > 0 { return Array(buffer[..<length]) }
            if length == 0 { throw .closed }
            try wait(Int16(POLLIN), errno)
        }
    }

    private func wait(_ events: Int16, _ error: Int32) throws(Problem) {
        guard error == EAGAIN || error == EWOULDBLOCK || error == EINTR else { throw .closed }
        let left = (deadline - .now) / .milliseconds(1)
        guard left > 0 else { throw .outOfTime }
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        _ = poll(&entry, 1, Int32(min(left, 60_000)) + 1)
    }

    /// Reads what still comes and lets go of it, for a quarter of a second and 8 MiB at most.
    func drain() {
        let end = ContinuousClock.now + .milliseconds(250)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var left = 8 << 20
        while ContinuousClock.now < end, left > 0 {
            let length = buffer.withUnsafeMutableBytes { vaka_receive(descriptor, $0.baseAddress, $0.count) }
            if length > 0 {
                left -= length
            } else if length == 0 || errno != EAGAIN {
                return
            } else {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, 50)
            }
        }
    }
}
