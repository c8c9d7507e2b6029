// SPDX-License-Identifier: Apache-2.0
@preconcurrency import Glibc

/// The lines of standard input, read in large pieces.
struct InputLines {
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    private static let pieceSize = 1 << 16
    /// Longer lines are cut: none that is an address is as long.
    private static let longestLine = 1 << 20

    /// Nothing more can be had without waiting for whoever writes.
    var mustWait: Bool { !isAtEnd && buffer[position...].firstIndex(of: UInt8(ascii: "\n")) == nil }

    /// The next line without its end; nil after the last.
    mutating func next() -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return buffer[position..<end]
            }
            if isAtEnd || buffer.count - position > Self.longestLine {
                defer { position = buffer.count }
                return position < buffer.count ? buffer[position...] : nil
            }
            read()
        }
    }

    private mutating func read() {
        buffer.removeFirst(position)
        position = 0
        let kept = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.pieceSize))
        var count = -1
        repeat {
            count = buffer.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress.map { $0 + kept }, Self.pieceSize) }
        } while count < 0 && errno == EINTR
        buffer.removeLast(Self.pieceSize - max(0, count))
        if count <= 0 { isAtEnd = true }
    }
}
