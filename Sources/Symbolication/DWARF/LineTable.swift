// SPDX-License-Identifier: Apache-2.0

/// One row: from this address on, until the next row, the code belongs to this place. Zero is "none".
struct LineRow {
    var address: UInt64
    var file: UInt32
    var line: UInt32
    var column: UInt32
}

/// The rows of one unit, in the sequences of live code.
struct LineTable {
    private struct Sequence {
        var range: Range<UInt64>
        var rows: Range<Int>
    }

    /// More than any unit has; a crafted program of that many rows must not take the memory.
    private static let maximumRows = 1 << 24

    let header: LineHeader
    private var rows: [LineRow] = []
    private var sequences: [Sequence] = []

    init(_ header: LineHeader, _ section: UnsafeRawBufferPointer, code: CodeMap) {
        self.header = header
        var rows: [LineRow] = []
        var sequences: [Sequence] = []
        var start = 0
        var program = LineProgram(header, section)
        program.run { row, isEnd in
            guard isEnd else {
                if rows.count < Self.maximumRows { rows.append(row) }
                return
            }
            if start < rows.count, rows[start].address < row.address, code.isCode(rows[start].address) {
                sequences.append(Sequence(range: rows[start].address..<row.address, rows: start..<rows.count))
            } else {
                rows.removeSubrange(start...)
            }
            start = rows.count
        }
        self.rows = rows
        self.sequences = sequences.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The code that the sequences cover.
    var ranges: [Range<UInt64>] { sequences.map(\.range) }

    /// The index of the row that holds an address.
    func index(at address: UInt64) -> Int? {
        var index = sequences.upperBound { $0.range.lowerBound <= address }
        // Sequences of live code do not overlap, save where code was folded: a few steps back suffice.
        for _ in 0..<8 where index > 0 {
            index -= 1
            guard sequences[index].range.contains(address) else { continue }
            let range = sequences[index].rows
            var (low, high) = (range.lowerBound, range.upperBound)
            while low < high {
                let middle = low + (high - low) / 2
                if rows[middle].address <= address { low = middle + 1 } else { high = middle }
            }
            return low > range.lowerBound ? low - 1 : range.lowerBound
        }
        return nil
    }

    subscript(index: Int) -> LineRow { rows[index] }

    /// The rows around an index within its function, nearest first and those before it preferred.
    func neighbours(of index: Int, within range: Range<UInt64>, limit: Int) -> [Int] {
        let before = stride(from: index - 1, through: max(0, index - limit), by: -1)
            .prefix { rows[$0].address >= range.lowerBound && rows[$0].address < range.upperBound }
        let after = (index + 1..<max(index + 1, min(rows.count, index + 1 + limit)))
            .prefix { rows[$0].address < range.upperBound && rows[$0].address >= range.lowerBound }
        return Array(before) + Array(after)
    }
}
