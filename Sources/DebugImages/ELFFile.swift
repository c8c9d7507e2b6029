// SPDX-License-Identifier: Apache-2.0
import CElfutils
import Glibc

/// An open ELF file: its descriptor, libelf's handle and its headers, bounds checked against the file's size.
///
/// Not thread-safe: libelf's handles are not.
package final class ELFFile {
    package let path: String
    package let fileSize: UInt64
    package let type: UInt16
    package let machine: UInt16
    package let is64Bit: Bool
    package let sections: [ELFSection]
    /// The PT_LOAD segments in the file's order.
    package let segments: [ELFSegment]
    package let hasUnwindHeader: Bool
    /// libelf's `Elf *`, valid while this object lives.
    package let handle: OpaquePointer
    package let descriptor: Int32
    /// The memory that `handle` reads, where it is not the file itself.
    private let memory: AnyObject?

    private static let initialised: Bool = elf_version(UInt32(EV_CURRENT)) != UInt32(EV_NONE)

    /// Opens a file. With `mapped`, sections are read through a mapping: faster, but only for files that nobody
    /// shortens meanwhile.
    package init(path: String, mapped: Bool = false) throws(DebugImageError) {
        let (descriptor, size) = try Self.open(path)
        var owned = true
        defer { if owned { close(descriptor) } }
        try ELFMagic.check(descriptor: descriptor, size: size, path: path)
        _ = Self.initialised
        guard let elf = elf_begin(descriptor, mapped ? ELF_C_READ_MMAP : ELF_C_READ, nil) else {
            throw DebugImageError(
                .malformed, path: path, "has a damaged ELF header (\(Self.lastError)); copy or upload it again")
        }
        defer { if owned { elf_end(elf) } }
        let reader = ELFHeaderReader(elf: elf, path: path, fileSize: size)
        let header = try reader.header()
        segments = try reader.segments(header)
        let written = try reader.sections(header)
        hasUnwindHeader = reader.hasUnwindHeader
        type = header.e_type
        machine = header.e_machine
        is64Bit = header.e_ident.4 == UInt8(ELFCLASS64)
        if mapped,
            let image = ExpandedImage(written, header: header, descriptor: descriptor, fileSize: size),
            let start = image.bytes.baseAddress, let expanded = elf_memory(start, image.bytes.count)
        {
            let count = UInt64(image.bytes.count)
            guard let changed = try? ELFHeaderReader(elf: expanded, path: path, fileSize: count).sections(header) else {
                elf_end(expanded)
                throw DebugImageError(.malformed, path: path, "its compressed sections are damaged; copy it anew")
            }
            elf_end(elf)
            (handle, sections, memory) = (expanded, changed, image)
        } else {
            (handle, sections, memory) = (elf, written, nil)
        }
        self.descriptor = descriptor
        self.path = path
        fileSize = size
        owned = false
    }

    /// Reads a file that was unpacked into memory; `path` is the one it was packed in.
    init(_ unpacked: MiniDebugInfo, path: String) throws(DebugImageError) {
        _ = Self.initialised
        guard let start = unpacked.bytes.baseAddress, let elf = elf_memory(start, unpacked.bytes.count) else {
            throw DebugImageError(.malformed, path: path, "its .gnu_debugdata holds no ELF file")
        }
        var owned = true
        defer { if owned { elf_end(elf) } }
        let reader = ELFHeaderReader(elf: elf, path: path, fileSize: UInt64(unpacked.bytes.count))
        let header = try reader.header()
        segments = try reader.segments(header)
        sections = try reader.sections(header)
        hasUnwindHeader = false
        type = header.e_type
        machine = header.e_machine
        is64Bit = header.e_ident.4 == UInt8(ELFCLASS64)
        (handle, memory, descriptor) = (elf, unpacked, -1)
        self.path = path
        fileSize = UInt64(unpacked.bytes.count)
        owned = false
    }

    deinit {
        elf_end(handle)
        if descriptor >= 0 { close(descriptor) }
    }

    package func section(_ name: String) -> ELFSection? {
        sections.first { $0.name == name }
    }

    /// A section's bytes as they are in the file (decompressed where libdw already did so); nil when it has none.
    /// Valid while this object lives.
    package func contents(_ section: ELFSection) -> UnsafeRawBufferPointer? {
        guard !section.isEmpty, let scn = elf_getscn(handle, section.index), let data = elf_rawdata(scn, nil),
            let bytes = data.pointee.d_buf
        else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: Int(data.pointee.d_size))
    }

    static var lastError: String {
        elf_errmsg(-1).map { String(cString: $0) } ?? "no reason given"
    }

    /// Only regular files: opening a pipe or a device could block or have effects.
    private static func open(_ path: String) throws(DebugImageError) -> (Int32, UInt64) {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw DebugImageError(
                .unreadable, path: path, "cannot be opened: \(String(cString: strerror(errno))); check path and rights")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
            close(descriptor)
            let what = status.st_mode & S_IFMT == S_IFDIR ? "is a folder" : "is no regular file"
            throw DebugImageError(.unreadable, path: path, "\(what); name an ELF file")
        }
        return (descriptor, UInt64(status.st_size))
    }
}
