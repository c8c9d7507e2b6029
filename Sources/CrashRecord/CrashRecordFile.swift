// SPDX-License-Identifier: Apache-2.0
package import CVakaRecord
import FoundationEssentials
import Glibc

/// A crash record as it lies on disk: its header, the sections that are whole, and the damage.
///
/// Reads records cut or changed at any byte as far as they go; memory use is bounded by the file's size, and the
/// file's size by `maximumBytes`. An immutable value. Format: docs/crash-record-format.md.
package struct CrashRecordFile: Sendable {
    /// Nil where the header is damaged.
    package let header: vaka_record_header?
    package let sections: [RecordSection]
    package let damage: [RecordDamage]
    /// The record ends with its end section: nothing is missing at its end.
    package let isComplete: Bool
    let bytes: [UInt8]

    package static let maximumBytes = 256 * 1024 * 1024
    private static let headerBytes = MemoryLayout<vaka_record_header>.size

    /// Throws `CrashRecordError` when the file cannot be read or holds no crash record.
    package init(contentsOf path: String) throws {
        let bytes = try BoundedFile.contents(of: path, limit: Self.maximumBytes)
        guard bytes.count <= Self.maximumBytes else {
            throw CrashRecordError(
                .tooLarge, "\(path): a crash record has at most \(Self.maximumBytes) bytes. Is it another file?")
        }
        do {
            try self.init(bytes: bytes)
        } catch {
            throw CrashRecordError(error.code, "\(path): \(error.message)")
        }
    }

    package init(bytes: [UInt8]) throws(CrashRecordError) {
        guard bytes.contains(where: { $0 != 0 }) else {
            throw CrashRecordError(.empty, "the file is empty: it was allocated for a crash that did not come")
        }
        let header = Self.header(bytes)
        let scanner = SectionScanner(bytes, from: min(Self.headerBytes, bytes.count))
        guard header != nil || Self.hasMagic(bytes) || !scanner.sections.isEmpty else {
            throw CrashRecordError(
                .notARecord, "no crash record: a .vakacrash file begins with \"\(VAKA_RECORD_MAGIC)\"")
        }
        if let header { try Self.checkSupport(header) }
        guard header != nil || !scanner.sections.isEmpty else {
            throw CrashRecordError(
                .nothingReadable, "the crash record is damaged: neither its header nor any of its sections is whole")
        }
        self.bytes = bytes
        self.header = header
        sections = scanner.sections
        damage = (header == nil ? [Self.headerDamage(bytes)] : []) + scanner.damage
        isComplete = scanner.sections.contains { $0.isKind(VAKA_SECTION_END) }
    }

    /// The id of a record that begins with these bytes, whole or not; nil where none was begun.
    package static func recordID(ofHeader bytes: [UInt8]) -> String? {
        guard hasMagic(bytes), let offset = MemoryLayout<vaka_record_header>.offset(of: \.record_id),
            bytes.count >= headerBytes
        else { return nil }
        return hexText(Array(bytes[offset..<offset + 16]))
    }

    private static func headerDamage(_ bytes: [UInt8]) -> RecordDamage {
        let present = min(headerBytes, bytes.count)
        return RecordDamage(
            offset: 0, bytes: present,
            why: present < headerBytes ? "the header is cut" : "the header does not match its checksum")
    }

    private static func hasMagic(_ bytes: [UInt8]) -> Bool { bytes.starts(with: VAKA_RECORD_MAGIC.utf8) }

    private static func header(_ bytes: [UInt8]) -> vaka_record_header? {
        guard bytes.count >= headerBytes, hasMagic(bytes) else { return nil }
        return bytes.withUnsafeBytes { buffer in
            let header = buffer.loadUnaligned(as: vaka_record_header.self)
            return vaka_crc32(0, buffer.baseAddress, headerBytes - 4) == header.header_crc ? header : nil
        }
    }

    private static func checkSupport(_ header: vaka_record_header) throws(CrashRecordError) {
        guard header.version_major == UInt16(VAKA_RECORD_VERSION_MAJOR) else {
            throw CrashRecordError(
                .newerVersion,
                "the crash record has format version \(header.version_major).\(header.version_minor), "
                    + "this program reads version \(VAKA_RECORD_VERSION_MAJOR): update it")
        }
        guard Architecture(elfMachine: header.architecture) != nil else {
            throw CrashRecordError(
                .unsupportedArchitecture,
                "the crash record is of a machine with ELF number \(header.architecture); "
                    + "x86_64 (\(VAKA_ARCH_X86_64)) and arm64 (\(VAKA_ARCH_ARM64)) are supported")
        }
    }
}
