// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CElfutils
import CZstd
import Glibc

/// The sections of one ELF file, mapped and, where they are compressed, unpacked when they are first asked for.
///
/// The bytes stay while this object lives. A file must not be shortened meanwhile. Not thread-safe.
package final class DebugSections {
    package let path: String
    package let identity: ELFIdentity
    package let sections: [ELFSection]
    package let segments: [ELFSegment]
    package let machine: UInt16

    private let map: UnsafeRawBufferPointer
    private var unpacked: [String: UnsafeMutableRawBufferPointer] = [:]

    /// More than any program's section has; a crafted size must not take the memory.
    private static let largestSection: UInt64 = 8 << 30
    /// From here on the kernel is asked for large pages, which cost fewer faults.
    private static let hugeSection: UInt64 = 4 << 20

    /// Throws for what is no whole ELF file.
    package init(path: String) throws(DebugImageError) {
        let file = try ELFFile(path: path)
        self.path = path
        identity = ELFIdentifier.identity(of: file)
        sections = file.sections
        segments = file.segments
        machine = file.machine
        guard let size = Int(exactly: file.fileSize), size > 0,
            let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0), base != MAP_FAILED
        else {
            throw DebugImageError(
                .unreadable, path: path, "cannot be mapped: \(String(cString: strerror(errno))); is memory short?")
        }
        map = UnsafeRawBufferPointer(start: base, count: size)
    }

    deinit {
        for bytes in unpacked.values { munmap(bytes.baseAddress, bytes.count) }
        munmap(UnsafeMutableRawPointer(mutating: map.baseAddress), map.count)
    }

    /// The bytes of the first section of a name, unpacked; nil where there are none or they are damaged.
    package func bytes(_ name: String) -> UnsafeRawBufferPointer? {
        if let known = unpacked[name] { return UnsafeRawBufferPointer(known) }
        guard let section = sections.first(where: { $0.plainName == name && !$0.isEmpty }), let raw = raw(section)
        else { return nil }
        if section.isCompressed { return unpack(raw, name) }
        return section.name.hasPrefix(".zdebug_") ? unpackOld(raw, name) : raw
    }

    /// The bytes of a section as they are in the file.
    package func raw(_ section: ELFSection) -> UnsafeRawBufferPointer? {
        guard !section.isEmpty, section.offset <= UInt64(map.count),
            section.size <= UInt64(map.count) - section.offset
        else { return nil }
        let start = Int(section.offset)
        return UnsafeRawBufferPointer(rebasing: map[start..<start + Int(section.size)])
    }

    private func unpack(_ raw: UnsafeRawBufferPointer, _ name: String) -> UnsafeRawBufferPointer? {
        let header: (kind: UInt32, size: UInt64, length: Int)
        if identity.bits == 64 {
            guard raw.count >= MemoryLayout<Elf64_Chdr>.size else { return nil }
            let found = raw.loadUnaligned(as: Elf64_Chdr.self)
            header = (found.ch_type, found.ch_size, MemoryLayout<Elf64_Chdr>.size)
        } else {
            guard raw.count >= MemoryLayout<Elf32_Chdr>.size else { return nil }
            let found = raw.loadUnaligned(as: Elf32_Chdr.self)
            header = (found.ch_type, UInt64(found.ch_size), MemoryLayout<Elf32_Chdr>.size)
        }
        let packed = UnsafeRawBufferPointer(rebasing: raw[header.length...])
        return expand(packed, to: header.size, name) { target in
            header.kind == ELFIdentifier.zstdCompression
                ? Self.unpackZstd(packed, target)
                : header.kind == UInt32(ELFCOMPRESS_ZLIB) && Self.unpackZlib(packed, target)
        }
    }

    /// The older form: `ZLIB`, the size in eight bytes with the highest first, the stream.
    private func unpackOld(_ raw: UnsafeRawBufferPointer, _ name: String) -> UnsafeRawBufferPointer? {
        guard raw.count > 12, raw.prefix(4).elementsEqual("ZLIB".utf8) else { return nil }
        let size = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
        let packed = UnsafeRawBufferPointer(rebasing: raw[12...])
        return expand(packed, to: size, name) { Self.unpackZlib(packed, $0) }
    }

    private func expand(
        _ packed: UnsafeRawBufferPointer, to size: UInt64, _ name: String,
        _ fill: (UnsafeMutableRawBufferPointer) -> Bool
    ) -> UnsafeRawBufferPointer? {
        guard size > 0, size <= Self.largestSection,
            let base = mmap(
                nil, Int(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            base != MAP_FAILED
        else { return nil }
        if size >= Self.hugeSection { madvise(base, Int(size), MADV_HUGEPAGE) }
        let target = UnsafeMutableRawBufferPointer(start: base, count: Int(size))
        guard fill(target) else {
            munmap(base, Int(size))
            return nil
        }
        unpacked[name] = target
        letGo(packed)
        return UnsafeRawBufferPointer(target)
    }

    /// The pages of what was unpacked need not stay in memory.
    private func letGo(_ bytes: UnsafeRawBufferPointer) {
        let page = Int(getpagesize())
        let start = (Int(bitPattern: bytes.baseAddress) + page - 1) / page * page
        let end = (Int(bitPattern: bytes.baseAddress) + bytes.count) / page * page
        if start < end, let place = UnsafeMutableRawPointer(bitPattern: start) {
            madvise(place, end - start, MADV_DONTNEED)
        }
    }

    private static func unpackZstd(_ packed: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer) -> Bool {
        let written = ZSTD_decompress(target.baseAddress, target.count, packed.baseAddress, packed.count)
        return ZSTD_isError(written) == 0 && written == target.count
    }

    private static func unpackZlib(_ packed: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer) -> Bool {
        guard let decompressor = libdeflate_alloc_decompressor() else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        // Without a place for the size, it must be that of the target.
        return libdeflate_zlib_decompress(
            decompressor, packed.baseAddress, packed.count, target.baseAddress, target.count, nil)
            == LIBDEFLATE_SUCCESS
    }
}
