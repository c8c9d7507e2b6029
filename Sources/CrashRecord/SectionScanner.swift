// SPDX-License-Identifier: Apache-2.0
import CVakaRecord

/// Walks a record's sections, and finds the next whole one after damage.
struct SectionScanner {
    private let bytes: [UInt8]
    private(set) var sections: [RecordSection] = []
    private(set) var damage: [RecordDamage] = []

    private static let headerBytes = MemoryLayout<vaka_section_header>.size
    private static let alignment = Int(VAKA_RECORD_ALIGNMENT)
    /// Damage beyond this many places is summed up in one entry.
    private static let maximumDamage = 64

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        var offset = start
        while offset < bytes.count {
            guard let header = header(at: offset) else {
                offset = skipDamage(from: offset)
                continue
            }
            offset = read(header, at: offset)
            if sections.last?.isKind(VAKA_SECTION_END) == true, sections.last?.offset ?? 0 < offset { break }
        }
    }

    /// A section header with a right checksum, or nil.
    private func header(at offset: Int) -> vaka_section_header? {
        guard bytes.count - offset >= Self.headerBytes else { return nil }
        return bytes.withUnsafeBytes { buffer in
            let header = buffer.loadUnaligned(fromByteOffset: offset, as: vaka_section_header.self)
            guard header.magic == VAKA_SECTION_MAGIC else { return nil }
            let checked = UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + Self.headerBytes - 4])
            return vaka_crc32(0, checked.baseAddress, checked.count) == header.header_crc ? header : nil
        }
    }

    /// Takes the section in, or notes why not; returns where to go on.
    private mutating func read(_ header: vaka_section_header, at offset: Int) -> Int {
        let start = offset + Self.headerBytes
        let name = RecordSection.names[Int(header.kind)] ?? "kind \(header.kind)"
        let available = bytes.count - start
        guard header.payload_bytes <= UInt64(min(available, Int(VAKA_SECTION_PAYLOAD_MAX))) else {
            let next = nextHeader(from: start)
            note(
                offset, next - offset,
                "section \"\(name)\" is cut: \(header.payload_bytes) bytes were meant, \(available) are there")
            return next
        }
        let length = Int(header.payload_bytes)
        let payload = bytes[start..<start + length]
        let crc = payload.withUnsafeBytes { vaka_crc32(0, $0.baseAddress, $0.count) }
        if crc == header.payload_crc {
            sections.append(
                RecordSection(
                    kind: header.kind, version: header.version, sequence: header.sequence, offset: offset,
                    payload: payload))
        } else {
            note(offset, Self.headerBytes + length, "section \"\(name)\" does not match its checksum")
        }
        let padded = (length + Self.alignment - 1) / Self.alignment * Self.alignment
        return min(start + padded, bytes.count)
    }

    /// Moves to the next whole header, or to the end. Zeros up to the end are no damage: allocated, never written.
    private mutating func skipDamage(from start: Int) -> Int {
        let next = nextHeader(from: start + Self.alignment)
        let isUnused = next == bytes.count && bytes[start...].allSatisfy { $0 == 0 }
        if !isUnused { note(start, next - start, "no section begins here") }
        return next
    }

    /// Where the next whole header lies, or the end.
    private func nextHeader(from start: Int) -> Int {
        var offset = start
        while offset < bytes.count, header(at: offset) == nil { offset += Self.alignment }
        return min(offset, bytes.count)
    }

    private mutating func note(_ offset: Int, _ count: Int, _ why: String) {
        if damage.count < Self.maximumDamage {
            damage.append(RecordDamage(offset: offset, bytes: count, why: why))
        } else if damage.count == Self.maximumDamage {
            damage.append(
                RecordDamage(offset: offset, bytes: bytes.count - offset, why: "and more damage from here on"))
        }
    }
}
