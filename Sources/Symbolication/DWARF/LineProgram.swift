// SPDX-License-Identifier: Apache-2.0

/// Runs a line number program (DWARF 5, section 6.2.5), sequence by sequence.
///
/// libdw's own reader sorts the rows of all sequences into one list; rows of functions that the linker dropped then stand
/// between those of live code. Here each sequence stays whole, so that dropped ones can be told and discarded.
struct LineProgram {
    private let header: LineHeader
    private var reader: ByteReader
    private var address: UInt64 = 0
    private var operation: UInt64 = 0
    private var file: UInt64 = 1
    private var line: Int64 = 1
    private var column: UInt64 = 0

    init(_ header: LineHeader, _ section: UnsafeRawBufferPointer) {
        self.header = header
        reader = ByteReader(section, from: header.programStart, to: header.programEnd)
    }

    /// Calls `row` for every row; its last argument marks the end of a sequence.
    mutating func run(_ row: (LineRow, Bool) -> Void) {
        while !reader.isAtEnd, !reader.failed {
            let opcode = Int(reader.u8())
            if opcode >= header.opcodeBase {
                special(opcode - header.opcodeBase)
                row(current, false)
            } else if opcode == 0 {
                if extended() {
                    row(current, true)
                    restart()
                }
            } else if standard(opcode) {
                row(current, false)
            }
        }
    }

    private var current: LineRow {
        LineRow(
            address: address, file: UInt32(clamping: file), line: UInt32(clamping: line),
            column: UInt32(clamping: column))
    }

    private mutating func restart() {
        (address, operation, file, line, column) = (0, 0, 1, 1, 0)
    }

    private mutating func advance(_ operations: UInt64) {
        let total = operation &+ operations
        address &+= header.minimumInstructionLength &* (total / header.maximumOperations)
        operation = total % header.maximumOperations
    }

    private mutating func special(_ adjusted: Int) {
        guard header.lineRange > 0 else { return }
        advance(UInt64(adjusted) / header.lineRange)
        line &+= header.lineBase + Int64(UInt64(adjusted) % header.lineRange)
    }

    /// True when the opcode ends a sequence.
    private mutating func extended() -> Bool {
        let length = reader.uleb()
        guard length > 0, length <= UInt64(reader.remaining) else {
            reader.skip(length)
            return false
        }
        let next = reader.offset + Int(length)
        defer { reader.seek(next) }
        switch reader.u8() {
        case 1: return true
        case 2:
            address = (2...9).contains(length) ? reader.unsigned(Int(length) - 1) : 0
            operation = 0
            return false
        default: return false
        }
    }

    /// True when the opcode makes a row.
    private mutating func standard(_ opcode: Int) -> Bool {
        switch opcode {
        case 1: return true
        case 2: advance(reader.uleb())
        case 3: line &+= reader.sleb()
        case 4: file = reader.uleb()
        case 5: column = reader.uleb()
        case 6, 7, 10, 11: break
        case 8: if header.lineRange > 0 { advance(UInt64(255 - header.opcodeBase) / header.lineRange) }
        case 9:
            address &+= reader.unsigned(2)
            operation = 0
        default:
            for _ in 0..<header.operandCounts[opcode - 1] { _ = reader.uleb() }
        }
        return false
    }
}
