// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// Reads encoded pointers (LSB, "DWARF Exception Header Encoding") within the bounds of one entry.
struct PointerReader {
    let bytes: UnsafeRawBufferPointer
    var offset: Int
    let end: Int
    /// Of the section's first byte.
    let address: UInt64
    let pointerSize: Int

    mutating func byte() -> UInt8? {
        guard offset >= 0, offset < min(end, bytes.count) else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Nil where the encoding is one that names no address by itself, or the entry ends.
    mutating func read(_ encoding: UInt8) -> UInt64? {
        let place = address &+ UInt64(truncatingIfNeeded: offset)
        guard let value = value(encoding & 0x0f) else { return nil }
        switch Int(encoding & 0x70) {
        case DW_EH_PE_absptr: return value
        case DW_EH_PE_pcrel: return place &+ value
        default: return nil
        }
    }

    private mutating func value(_ form: UInt8) -> UInt64? {
        switch Int(form) {
        case DW_EH_PE_absptr: fixed(pointerSize)
        case DW_EH_PE_udata2: fixed(2)
        case DW_EH_PE_udata4: fixed(4)
        case DW_EH_PE_udata8, DW_EH_PE_sdata8: fixed(8)
        case DW_EH_PE_sdata2: fixed(2).map { UInt64(bitPattern: Int64(Int16(truncatingIfNeeded: $0))) }
        case DW_EH_PE_sdata4: fixed(4).map { UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: $0))) }
        case DW_EH_PE_uleb128: variable()
        default: nil
        }
    }

    /// Little endian, as both machines are.
    private mutating func fixed(_ count: Int) -> UInt64? {
        guard offset >= 0, count <= min(end, bytes.count) - offset else { return nil }
        defer { offset += count }
        return (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * $1) }
    }

    private mutating func variable() -> UInt64? {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while shift < 64, let next = byte() {
            value |= UInt64(next & 0x7f) << shift
            if next & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }
}
