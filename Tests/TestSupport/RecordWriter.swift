// SPDX-License-Identifier: Apache-2.0
package import CVakaRecord

/// Writes crash records byte for byte as docs/crash-record-format.md has them, independent of the handler's writer.
package struct RecordWriter {
    package private(set) var bytes: [UInt8] = []
    private var sequence: UInt32 = 0

    package init(architecture: UInt16 = UInt16(VAKA_ARCH_X86_64), major: UInt16 = 1, magic: String = VAKA_RECORD_MAGIC)
    {
        var header = vaka_record_header()
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: Array(magic.utf8).prefix(8)) }
        header.version_major = major
        header.architecture = architecture
        header.header_bytes = 64
        withUnsafeMutableBytes(of: &header.record_id) { $0.copyBytes(from: (1...16).map { UInt8($0) }) }
        header.crashed_ns = 1_700_000_000_000_000_000
        header.pid = 42
        header.header_crc = Self.crc(Array(Self.raw(header).dropLast(4)))
        bytes = Self.raw(header)
    }

    package mutating func add(_ kind: vaka_section_kind, _ payload: [UInt8]) {
        add(kind: UInt16(kind.rawValue), payload)
    }

    package mutating func add(kind: UInt16, _ payload: [UInt8], claimedBytes: UInt64? = nil) {
        var header = vaka_section_header()
        header.magic = VAKA_SECTION_MAGIC
        header.kind = kind
        header.version = 1
        header.sequence = sequence
        header.payload_crc = Self.crc(payload)
        header.payload_bytes = claimedBytes ?? UInt64(payload.count)
        header.header_crc = Self.crc(Array(Self.raw(header).dropLast(4)))
        bytes += Self.raw(header) + payload
        bytes += Array(repeating: 0, count: (8 - bytes.count % 8) % 8)
        sequence += 1
    }

    package mutating func end() {
        var end = vaka_end()
        end.section_count = sequence
        end.record_bytes = UInt64(bytes.count + 32 + 24)
        end.handler_ns = 500_000
        add(VAKA_SECTION_END, Self.raw(end))
    }

    package static func raw<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    package static func crc(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { vaka_crc32(0, $0.baseAddress, $0.count) }
    }
}
