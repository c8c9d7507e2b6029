// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The memory that a written core holds: pieces by address, none over another. What was added first stays.
struct CoreAddressSpace {
    struct Piece {
        var address: UInt64
        var data: Data
        var isWritable: Bool

        var end: UInt64 { address + UInt64(data.count) }
    }

    private(set) var pieces: [Piece] = []

    /// Adds what of `data` no piece covers yet; nothing where it would lie past the end of the address space.
    mutating func add(_ address: UInt64, _ data: Data, isWritable: Bool) {
        let (end, overflow) = address.addingReportingOverflow(UInt64(data.count))
        guard !overflow else { return }
        var place = firstPiece(endingAfter: address)
        var from = address
        while from < end {
            if place < pieces.count, pieces[place].address <= from {
                from = pieces[place].end
            } else {
                let stop = place < pieces.count ? min(end, pieces[place].address) : end
                let start = data.startIndex + Int(from - address)
                let part = data[start..<start + Int(stop - from)]
                pieces.insert(Piece(address: from, data: part, isWritable: isWritable), at: place)
                from = stop
            }
            place += 1
        }
    }

    private func firstPiece(endingAfter address: UInt64) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end <= address { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Pieces that touch and are alike, as one.
    func segments() -> [ArraySlice<Piece>] {
        var segments: [ArraySlice<Piece>] = []
        var start = pieces.startIndex
        for index in pieces.indices {
            let next = index + 1
            if next < pieces.endIndex, pieces[next].address == pieces[index].end,
                pieces[next].isWritable == pieces[index].isWritable
            {
                continue
            }
            segments.append(pieces[start..<next])
            start = next
        }
        return segments
    }
}
