// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// Messages over a pair of pipes: two lengths (4 bytes each, little endian), a JSON head, a body of bytes.
struct FrameChannel {
    enum Failure: Error {
        /// The other side is gone.
        case closed
        case timeout
        case tooLarge
    }

    static let longest = 768 << 20

    private static let pipeSize: Int32 = 256 << 10

    let input: Int32
    let output: Int32

    /// Both ends are of this process alone, and never waited for but with `poll`.
    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
        for descriptor in [input, output] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        // What does not fit costs changes between processes; a system that refuses more is well, too.
        _ = fcntl(output, Self.setPipeSize, Self.pipeSize)
    }

    /// F_SETPIPE_SZ
    private static let setPipeSize: Int32 = 1031

    func send(head: Data, body: Data, deadline: ContinuousClock.Instant?) throws(Failure) {
        var lengths = Data()
        for count in [head.count, body.count] {
            guard count <= Self.longest else { throw .tooLarge }
            withUnsafeBytes(of: UInt32(count).littleEndian) { lengths.append(contentsOf: $0) }
        }
        for part in [lengths, head, body] { try write(part, deadline) }
    }

    /// Nothing longer than `limit` is taken.
    func receive(
        deadline: ContinuousClock.Instant?, limit: Int = longest
    ) throws(Failure) -> (head: Data, body: Data) {
        let lengths = [UInt8](try read(8, deadline))
        let counts = [0, 4].map { start in
            (0..<4).reduce(0) { $0 | Int(lengths[start + $1]) << (8 * $1) }
        }
        guard counts.allSatisfy({ $0 <= limit }) else { throw .tooLarge }
        return (try read(counts[0], deadline), try read(counts[1], deadline))
    }

    private func write(_ data: Data, _ deadline: ContinuousClock.Instant?) throws(Failure) {
        var sent = 0
        while sent < data.count {
            let count = data.withUnsafeBytes { buffer in
                Glibc.write(output, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
            }
            if count > 0 { sent += count } else { try goOn(count, output, Int16(POLLOUT), deadline) }
        }
    }

    private func read(_ count: Int, _ deadline: ContinuousClock.Instant?) throws(Failure) -> Data {
        var data = Data(count: count)
        var received = 0
        while received < count {
            let got = data.withUnsafeMutableBytes { buffer in
                Glibc.read(input, buffer.baseAddress?.advanced(by: received), count - received)
            }
            if got > 0 { received += got } else { try goOn(got, input, Int16(POLLIN), deadline) }
        }
        return data
    }

    /// After a call that moved nothing: waits where there is something to wait for.
    private func goOn(
        _ result: Int, _ descriptor: Int32, _ events: Int16, _ deadline: ContinuousClock.Instant?
    ) throws(Failure) {
        let reason = result < 0 ? errno : 0
        if reason == EAGAIN { return try wait(descriptor, events, deadline) }
        guard reason == EINTR else { throw .closed }
    }

    private func wait(_ descriptor: Int32, _ events: Int16, _ deadline: ContinuousClock.Instant?) throws(Failure) {
        while true {
            var timeout: Int32 = -1
            if let deadline {
                let rest = (deadline - .now).components
                guard rest.seconds >= 0, rest.attoseconds >= 0 else { throw .timeout }
                timeout = Int32(clamping: rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000 + 1)
            }
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            let result = poll(&entry, 1, timeout)
            if result > 0 {
                if entry.revents & events == 0, events == Int16(POLLOUT) { throw .closed }
                return
            }
            if result < 0, errno != EINTR { throw .closed }
        }
    }
}
