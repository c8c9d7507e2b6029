// SPDX-License-Identifier: Apache-2.0
import CElfutils
import Glibc

/// An ELF file opened for unwinding: its segments, its bytes, its call frame information. Not thread-safe.
final class UnwindFile {
    /// A loaded part of the file, by linked address.
    struct Segment {
        var address: UInt64
        var memoryBytes: UInt64
        var fileOffset: UInt64
        var fileBytes: UInt64
        var isExecutable: Bool
        var isWritable: Bool

        func contains(_ linked: UInt64) -> Bool { linked >= address && linked - address < memoryBytes }
    }

    let segments: [Segment]
    let machine: Int
    private let descriptor: Int32
    private let handle: OpaquePointer
    private let bytes: UnsafeRawBufferPointer
    private lazy var ehFrame: OpaquePointer? = dwarf_getcfi_elf(handle)
    private lazy var dwarf: OpaquePointer? =
        hasSection { $0 == ".debug_frame" } ? dwarf_begin_elf(handle, DWARF_C_READ, nil) : nil
    private lazy var debugFrame: OpaquePointer? = dwarf.flatMap { dwarf_getcfi($0) }

    /// Nil when there is no such file or it is no ELF file of 64 bits.
    convenience init?(path: String) {
        self.init(descriptor: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }

    /// Takes the descriptor over, also where it is none or no ELF file of 64 bits.
    init?(descriptor: Int32) {
        elf_version(UInt32(EV_CURRENT))
        self.descriptor = descriptor
        guard descriptor >= 0 else { return nil }
        guard let handle = elf_begin(descriptor, ELF_C_READ_MMAP, nil) else {
            close(descriptor)
            return nil
        }
        self.handle = handle
        var header = GElf_Ehdr()
        var size = 0
        let raw = elf_rawfile(handle, &size)
        bytes = UnsafeRawBufferPointer(start: raw, count: raw == nil ? 0 : size)
        let usable =
            elf_kind(handle) == ELF_K_ELF && gelf_getclass(handle) == ELFCLASS64
            && gelf_getehdr(handle, &header) != nil && header.e_ident.5 == UInt8(ELFDATA2LSB)
        machine = Int(header.e_machine)
        segments = usable ? Self.loadedSegments(handle) : []
        guard usable else { return nil }
    }

    deinit {
        if ehFrameWasRead, let ehFrame { dwarf_cfi_end(ehFrame) }
        if dwarfWasRead, let dwarf { dwarf_end(dwarf) }
        elf_end(handle)
        close(descriptor)
    }

    // A lazy property cannot be asked whether it has a value, and deinit must not give it one.
    private var ehFrameWasRead = false
    private var dwarfWasRead = false

    /// The frame description of `.eh_frame` at a linked address; to be freed by the caller.
    func ehFrameDescription(at linked: UInt64) -> OpaquePointer? {
        ehFrameWasRead = true
        return ehFrame.flatMap { Self.description($0, linked) }
    }

    /// The frame description of `.debug_frame` at a linked address; to be freed by the caller.
    func debugFrameDescription(at linked: UInt64) -> OpaquePointer? {
        dwarfWasRead = true
        return debugFrame.flatMap { Self.description($0, linked) }
    }

    private static func description(_ cfi: OpaquePointer, _ linked: UInt64) -> OpaquePointer? {
        var frame: OpaquePointer?
        return dwarf_cfi_addrframe(cfi, linked, &frame) == 0 ? frame : nil
    }

    /// Bytes of a segment that the program cannot write to.
    func readOnlyBytes(at linked: UInt64, count: Int) -> UnsafeRawBufferPointer? {
        guard let segment = segments.first(where: { $0.contains(linked) }), !segment.isWritable else { return nil }
        let offset = linked - segment.address
        guard offset <= segment.fileBytes, UInt64(count) <= segment.fileBytes - offset else { return nil }
        let (start, overflow) = segment.fileOffset.addingReportingOverflow(offset)
        guard !overflow, start <= UInt64(bytes.count), UInt64(count) <= UInt64(bytes.count) - start else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(start) + count])
    }

    /// Functions by linked address.
    private(set) lazy var symbols = FunctionSymbols(handle)
    /// Whether it has the Swift compiler's metadata.
    private(set) lazy var isSwift = hasSection { $0.hasPrefix("swift5_") }

    private func hasSection(_ matches: (String) -> Bool) -> Bool {
        var names = 0
        guard elf_getshdrstrndx(handle, &names) == 0 else { return false }
        var section: OpaquePointer? = nil
        while let next = elf_nextscn(handle, section) {
            section = next
            var header = GElf_Shdr()
            guard gelf_getshdr(next, &header) != nil, header.sh_type != UInt32(SHT_NOBITS) else { continue }
            if let text = elf_strptr(handle, names, Int(header.sh_name)), matches(String(cString: text)) { return true }
        }
        return false
    }

    private static func loadedSegments(_ handle: OpaquePointer) -> [Segment] {
        var count = 0
        guard elf_getphdrnum(handle, &count) == 0 else { return [] }
        var segments: [Segment] = []
        for index in 0..<min(count, 4096) {
            var header = GElf_Phdr()
            guard gelf_getphdr(handle, Int32(index), &header) != nil, header.p_type == UInt32(PT_LOAD) else { continue }
            segments.append(
                Segment(
                    address: header.p_vaddr, memoryBytes: header.p_memsz, fileOffset: header.p_offset,
                    fileBytes: header.p_filesz, isExecutable: header.p_flags & UInt32(PF_X) != 0,
                    isWritable: header.p_flags & UInt32(PF_W) != 0))
        }
        return segments
    }
}
