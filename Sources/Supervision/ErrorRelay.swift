// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import VakaModel

/// Carries the program's standard error to our own, byte for byte, and keeps its end.
///
/// Never blocks for long: it writes only where poll(2) says there is room, and no more than a pipe takes at once. While
/// our standard error takes nothing, nothing is read, so that the program waits as it would without us.
struct ErrorRelay {
    /// What a pipe with room takes whole.
    private static let step = 4096

    /// A terminal hands on what was written to it a moment later.
    private static let terminalDelay: Int32 = 100

    private(set) var tail = ErrorTail()
    private(set) var reading: Int32
    private let isTerminal: Bool
    private var waiting: ArraySlice<UInt8> = []

    init(_ channel: ErrorChannel?) {
        reading = channel?.reading ?? -1
        isTerminal = channel?.isTerminal ?? false
    }

    /// After the size of our terminal changed.
    func resize() {
        if isTerminal, isOpen { vaka_copy_window_size(2, reading) }
    }

    var isOpen: Bool { reading >= 0 }

    /// What to wait for: our standard error's room while there is something to write, else the pipe.
    var interest: pollfd {
        waiting.isEmpty
            ? pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            : pollfd(fd: isOpen ? 2 : -1, events: Int16(POLLOUT), revents: 0)
    }

    /// After poll(2) had something to say of `interest`.
    mutating func advance() {
        if waiting.isEmpty { read() } else { write() }
    }

    /// Carries on what the program wrote before its end. Its descendants may hold the pipe open: it ends when it is empty.
    mutating func drain() {
        while isOpen {
            var wanted = interest
            let ready = poll(&wanted, 1, !waiting.isEmpty ? -1 : isTerminal ? Self.terminalDelay : 0)
            if ready < 0 && errno == EINTR { continue }
            if ready <= 0 { break }
            advance()
        }
        tail.finish(time: .now)
        close()
    }

    private mutating func read() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let got = Glibc.read(reading, &buffer, buffer.count)
        if got < 0 && (errno == EINTR || errno == EAGAIN) { return }
        guard got > 0 else { return close() }
        waiting = buffer[..<got]
        tail.add(waiting, time: .now)
        write()
    }

    private mutating func write() {
        var room = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        while !waiting.isEmpty, poll(&room, 1, 0) > 0 {
            let part = waiting.prefix(Self.step)
            let wrote = part.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
            if wrote >= 0 {
                waiting = waiting.dropFirst(wrote)
            } else if errno == EAGAIN || errno == EINTR {
                return
            } else if errno == EPIPE || errno == EBADF {
                // The program learns of it as it would have: by its own next write.
                return close()
            } else {
                waiting = []
            }
        }
    }

    private mutating func close() {
        if isOpen { Glibc.close(reading) }
        reading = -1
        waiting = []
    }
}
