// SPDX-License-Identifier: Apache-2.0

/// A value in a DWARF 5 line table's directory and file entries.
enum LineForm {
    case text(String)
    case number(UInt64)
    /// Sixteen bytes: a checksum.
    case block([UInt8])
    case nothing

    /// Reads the forms that the standard allows there; an unknown one ends the reading.
    static func read(
        _ form: UInt64, _ reader: inout ByteReader, _ strings: LineStrings, is64Bit: Bool
    ) -> LineForm {
        let offsetSize = is64Bit ? 8 : 4
        switch form {
        case 0x08: return .text(reader.text())
        case 0x0E: return .text(string(strings.strings, at: reader.unsigned(offsetSize)))
        case 0x1F: return .text(string(strings.lineStrings, at: reader.unsigned(offsetSize)))
        case 0x0B: return .number(reader.unsigned(1))
        case 0x05: return .number(reader.unsigned(2))
        case 0x06: return .number(reader.unsigned(4))
        case 0x07: return .number(reader.unsigned(8))
        case 0x0F: return .number(reader.uleb())
        case 0x1E: return .block((0..<16).map { _ in reader.u8() })
        case 0x09: reader.skip(reader.uleb())
        case 0x0A: reader.skip(UInt64(reader.u8()))
        case 0x0D: _ = reader.sleb()
        case 0x17, 0x1D: _ = reader.unsigned(offsetSize)
        case 0x1A: _ = reader.uleb()
        case 0x25...0x28: _ = reader.unsigned(Int(form - 0x24))
        default: reader.skip(.max)
        }
        return .nothing
    }

    private static func string(_ section: UnsafeRawBufferPointer?, at offset: UInt64) -> String {
        guard let section, let start = Int(exactly: offset) else { return "" }
        var reader = ByteReader(section, from: start)
        return reader.text()
    }
}
