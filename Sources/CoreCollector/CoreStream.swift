// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// A core as it comes down a pipe: forwards only, within bounds of time and bytes. For one thread.
final class CoreStream {
    /// Why nothing more comes.
    enum End: Equatable {
        case ended
        case timeLimit
        case byteLimit
        case failed(Int32)
    }

    private static let bufferBytes = 256 << 10
    private static let firstBytes = 4096
    private static let pipeBytes: Int32 = 1 << 20

    private let descriptor: Int32
    private let limit: UInt64
    private let deadline: ContinuousClock.Instant
    /// Of a file; any place of it can be gone to.
    private let fileBytes: UInt64?
    private var buffer: [UInt8]
    /// How much is read at once.
    private var step = firstBytes
    /// What of the buffer is still to be taken.
    private var waiting = 0..<0
    private(set) var position: UInt64 = 0
    private(set) var end: End?

    init(descriptor: Int32, limit: UInt64, deadline: ContinuousClock.Instant) {
        self.descriptor = descriptor
        self.limit = limit
        self.deadline = deadline
        buffer = Array(repeating: 0, count: Self.bufferBytes)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        fileBytes = isFile ? UInt64(max(0, status.st_size)) : nil
    }

    /// From now on it is read as fast as can be. Before, a kernel that writes it is not let get far ahead, as it keeps
    /// the process only as long as it has something to write.
    func hurry() {
        step = Self.bufferBytes
        _ = vaka_set_pipe_size(descriptor, Self.pipeBytes)
    }

    /// The next `count` bytes, or what there is of them.
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        _ = forEachPart(UInt64(count)) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Hands the next `count` bytes over, part by part; false where the core ends before.
    func forEachPart(_ count: UInt64, _ body: (ArraySlice<UInt8>) -> Void) -> Bool {
        var rest = count
        while rest > 0 {
            guard !waiting.isEmpty || fill() else { return false }
            let part = min(rest, UInt64(waiting.count))
            let split = waiting.lowerBound + Int(part)
            body(buffer[waiting.lowerBound..<split])
            waiting = split..<waiting.upperBound
            position += part
            rest -= part
        }
        return true
    }

    var isSeekable: Bool { fileBytes != nil }

    /// Moves on to a place that lies ahead, or anywhere in a file; false where that cannot be, or the core ends before.
    func skip(to offset: UInt64) -> Bool {
        if let fileBytes { return seek(to: min(offset, fileBytes, limit)) && offset <= position || finish(to: offset) }
        return offset >= position && forEachPart(offset - position) { _ in }
    }

    private func seek(to offset: UInt64) -> Bool {
        if offset >= position, offset - position <= UInt64(waiting.count) {
            return forEachPart(offset - position) { _ in }
        }
        guard let place = Int(exactly: offset), lseek(descriptor, place, SEEK_SET) == place else { return false }
        waiting = 0..<0
        position = offset
        end = nil
        return true
    }

    private func finish(to offset: UInt64) -> Bool { finish(offset > limit ? .byteLimit : .ended) }

    private func fill() -> Bool {
        guard end == nil else { return false }
        guard position < limit else { return finish(.byteLimit) }
        while true {
            guard let time = remainingMilliseconds else { return finish(.timeLimit) }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, time)
            if ready < 0, errno != EINTR { return finish(.failed(errno)) }
            guard ready > 0 else { continue }
            let got = Glibc.read(descriptor, &buffer, Int(min(UInt64(step), limit - position)))
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            if got < 0 { return finish(.failed(errno)) }
            if got == 0 { return finish(.ended) }
            waiting = 0..<got
            return true
        }
    }

    private func finish(_ end: End) -> Bool {
        self.end = end
        return false
    }

    /// Nil when the time is over.
    private var remainingMilliseconds: Int32? {
        let rest = (deadline - .now) / .milliseconds(1)
        return rest > 0 ? Int32(min(rest.rounded(.up), 1_000_000)) : nil
    }
}
