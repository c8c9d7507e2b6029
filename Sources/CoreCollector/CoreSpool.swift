// SPDX-License-Identifier: Apache-2.0
import CoreFile
import Glibc

/// What is kept of a core's memory, in a file without a name, and read from there. For one thread, and for a forked
/// child after it.
final class CoreSpool: ProcessMemory {
    private struct Piece {
        var address: UInt64
        var bytes: UInt64
        var offset: UInt64
    }

    private static let blockBytes: UInt64 = 4096
    private static let blocks = 64

    private let descriptor: Int32
    private var pieces: [Piece] = []
    private var written: UInt64 = 0
    private var isSorted = true
    /// Why no more could be kept, where that is so.
    private(set) var failure: Int32?
    /// By the block's number, so that the words of one stack are not read one by one.
    private var cache: [(number: UInt64, bytes: [UInt8])?] = Array(repeating: nil, count: blocks)

    /// Takes the descriptor over.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func add(_ address: UInt64, _ bytes: ArraySlice<UInt8>) {
        guard failure == nil, !bytes.isEmpty else { return }
        guard write(bytes) else { return }
        if let last = pieces.last, last.address + last.bytes == address {
            pieces[pieces.count - 1].bytes += UInt64(bytes.count)
        } else {
            isSorted = isSorted && pieces.last.map { $0.address < address } ?? true
            pieces.append(Piece(address: address, bytes: UInt64(bytes.count), offset: written))
        }
        written += UInt64(bytes.count)
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let place = Int(written) + done
                let count = pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, place)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    failure = count < 0 ? errno : EIO
                    return false
                }
                done += count
            }
            return true
        }
    }

    func bytes(_ address: UInt64, _ count: Int) -> [UInt8] {
        if !isSorted {
            pieces.sort { $0.address < $1.address }
            isSorted = true
        }
        guard count > 0, let piece = piece(of: address) else { return [] }
        let skipped = address - piece.address
        let known = min(UInt64(count), piece.bytes - skipped)
        var result: [UInt8] = []
        result.reserveCapacity(Int(known))
        while UInt64(result.count) < known {
            let place = piece.offset + skipped + UInt64(result.count)
            let block = block(place / Self.blockBytes)
            let part = block.dropFirst(Int(place % Self.blockBytes)).prefix(Int(known) - result.count)
            guard !part.isEmpty else { break }
            result.append(contentsOf: part)
        }
        return result
    }

    private func piece(of address: UInt64) -> Piece? {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, address - pieces[low - 1].address < pieces[low - 1].bytes else { return nil }
        return pieces[low - 1]
    }

    private func block(_ number: UInt64) -> [UInt8] {
        let slot = Int(number % UInt64(Self.blocks))
        if let cached = cache[slot], cached.number == number { return cached.bytes }
        var bytes = [UInt8](repeating: 0, count: Int(Self.blockBytes))
        let got = pread(descriptor, &bytes, bytes.count, Int(number * Self.blockBytes))
        bytes.removeLast(bytes.count - max(0, got))
        cache[slot] = (number, bytes)
        return bytes
    }
}
