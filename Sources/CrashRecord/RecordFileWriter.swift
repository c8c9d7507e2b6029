// SPDX-License-Identifier: Apache-2.0
package import CVakaRecord
import Glibc

/// Writes a crash record, section by section, as docs/crash-record-format.md has it. For one thread.
package struct RecordFileWriter {
    /// A write that failed, and its errno.
    package struct Failure: Error {
        package let code: Int32
    }

    private let descriptor: Int32
    private var sequence: UInt32 = 0
    private var written: UInt64 = 0

    /// Writes the header to an empty file; its sizes and its checksum are filled in.
    package init(descriptor: Int32, header: vaka_record_header) throws(Failure) {
        self.descriptor = descriptor
        var header = header
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: Array(VAKA_RECORD_MAGIC.utf8)) }
        header.version_major = UInt16(VAKA_RECORD_VERSION_MAJOR)
        header.version_minor = UInt16(VAKA_RECORD_VERSION_MINOR)
        header.header_bytes = UInt16(MemoryLayout<vaka_record_header>.size)
        header.header_crc = Self.checksum(Self.bytes(header).dropLast(4))
        try write(Self.bytes(header))
    }

    package mutating func add(_ kind: vaka_section_kind, _ payload: [UInt8]) throws(Failure) {
        var header = vaka_section_header()
        header.magic = VAKA_SECTION_MAGIC
        header.kind = UInt16(truncatingIfNeeded: kind.rawValue)
        header.version = 1
        header.sequence = sequence
        header.payload_crc = Self.checksum(payload[...])
        header.payload_bytes = UInt64(payload.count)
        header.header_crc = Self.checksum(Self.bytes(header).dropLast(4))
        let alignment = Int(VAKA_RECORD_ALIGNMENT)
        let padding = (alignment - payload.count % alignment) % alignment
        try write(Self.bytes(header))
        try write(payload)
        try write(Array(repeating: 0, count: padding))
        sequence += 1
    }

    /// The last section. `nanoseconds`: how long the record took to make.
    package mutating func end(nanoseconds: UInt64) throws(Failure) {
        let size = MemoryLayout<vaka_section_header>.size + MemoryLayout<vaka_end>.size
        let end = vaka_end(
            section_count: sequence, reserved: 0, record_bytes: written + UInt64(size), handler_ns: nanoseconds)
        try add(VAKA_SECTION_END, Self.bytes(end))
    }

    /// A value of the record's layout as it lies in the file.
    package static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { vaka_crc32(0, $0.baseAddress, $0.count) }
    }

    private mutating func write(_ bytes: [UInt8]) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(code: count < 0 ? errno : EIO) }
            done += count
        }
        written += UInt64(bytes.count)
    }
}
