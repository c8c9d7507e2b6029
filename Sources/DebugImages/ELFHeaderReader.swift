// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// Reads the header tables and checks them against the file's size.
struct ELFHeaderReader {
    let elf: OpaquePointer
    let path: String
    let fileSize: UInt64

    /// More than any linker writes; a damaged count must not cost time.
    private static let maximumHeaders = 1 << 20
    private static let modestSize: UInt64 = 256 << 20
    private static let largestRatio: UInt64 = 32

    func header() throws(DebugImageError) -> GElf_Ehdr {
        var header = GElf_Ehdr()
        guard elf_kind(elf) == ELF_K_ELF, gelf_getehdr(elf, &header) != nil else {
            throw malformed("ELF header", ELFFile.lastError)
        }
        try require(
            header.e_shoff, UInt64(header.e_shnum) * UInt64(header.e_shentsize), "table of section headers")
        try require(
            header.e_phoff, UInt64(header.e_phnum) * UInt64(header.e_phentsize), "table of program headers")
        return header
    }

    /// The loadable segments. Whether their bytes are there is the sections' matter: a debug companion keeps the
    /// segments of the file it was cut from.
    func segments(_ header: GElf_Ehdr) throws(DebugImageError) -> [ELFSegment] {
        try programHeaders().filter { $0.p_type == UInt32(PT_LOAD) }.map { entry in
            ELFSegment(
                address: entry.p_vaddr, memorySize: entry.p_memsz, offset: entry.p_offset, fileSize: entry.p_filesz,
                isExecutable: entry.p_flags & UInt32(PF_X) != 0)
        }
    }

    var hasUnwindHeader: Bool {
        ((try? programHeaders()) ?? []).contains { $0.p_type == UInt32(PT_GNU_EH_FRAME) && $0.p_filesz > 0 }
    }

    func sections(_ header: GElf_Ehdr) throws(DebugImageError) -> [ELFSection] {
        guard header.e_shoff != 0 else { return [] }
        var count = 0
        var names = 0
        guard elf_getshdrnum(elf, &count) == 0, elf_getshdrstrndx(elf, &names) == 0, count <= Self.maximumHeaders else {
            throw malformed("table of section headers", ELFFile.lastError)
        }
        var result: [ELFSection] = []
        for index in 1..<max(count, 1) {
            var entry = GElf_Shdr()
            guard let scn = elf_getscn(elf, index), gelf_getshdr(scn, &entry) != nil else {
                throw malformed("section header \(index)", ELFFile.lastError)
            }
            let name = elf_strptr(elf, names, Int(entry.sh_name)).map { String(cString: $0) } ?? ""
            if entry.sh_type != UInt32(SHT_NOBITS) {
                try require(entry.sh_offset, entry.sh_size, "section \(name.isEmpty ? "\(index)" : name)")
            }
            result.append(
                ELFSection(
                    index: index, name: name, type: entry.sh_type, flags: entry.sh_flags, address: entry.sh_addr,
                    offset: entry.sh_offset, size: entry.sh_size, link: Int(entry.sh_link),
                    entrySize: entry.sh_entsize))
        }
        try requireModestSize(result)
        return result
    }

    /// A few megabytes of zlib can hold gigabytes of zeros, which libdw would unpack; real debug information shrinks to
    /// a fifth at best.
    private func requireModestSize(_ sections: [ELFSection]) throws(DebugImageError) {
        var unpacked: UInt64 = 0
        for section in sections {
            guard let size = unpackedSize(section) else { continue }
            unpacked = unpacked.addingReportingOverflow(size).overflow ? .max : unpacked + size
        }
        guard unpacked > Self.modestSize, unpacked / Self.largestRatio > fileSize else { return }
        throw DebugImageError(
            .malformed, path: path,
            "its compressed sections claim \(unpacked) bytes, far more than \(fileSize) bytes of file can hold; "
                + "run objcopy --decompress-debug-sections on the original and use that")
    }

    /// What a compressed section says it is, by its header (ELF's, or the older one of `.zdebug_…`).
    private func unpackedSize(_ section: ELFSection) -> UInt64? {
        guard section.type != UInt32(SHT_NOBITS), let scn = elf_getscn(elf, section.index) else { return nil }
        if section.isCompressed {
            var header = GElf_Chdr()
            return gelf_getchdr(scn, &header) == nil ? nil : header.ch_size
        }
        guard section.name.hasPrefix(".zdebug_"), section.size >= 12, let data = elf_rawdata(scn, nil),
            let bytes = data.pointee.d_buf, data.pointee.d_size >= 12
        else { return nil }
        return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    }

    private func programHeaders() throws(DebugImageError) -> [GElf_Phdr] {
        var count = 0
        guard elf_getphdrnum(elf, &count) == 0, count <= Self.maximumHeaders else {
            throw malformed("table of program headers", ELFFile.lastError)
        }
        var result: [GElf_Phdr] = []
        for index in 0..<count {
            var entry = GElf_Phdr()
            guard gelf_getphdr(elf, Int32(index), &entry) != nil else {
                throw malformed("program header \(index)", ELFFile.lastError)
            }
            result.append(entry)
        }
        return result
    }

    private func require(_ offset: UInt64, _ size: UInt64, _ what: String) throws(DebugImageError) {
        guard size > 0 else { return }
        let (end, overflow) = offset.addingReportingOverflow(size)
        guard overflow || end > fileSize else { return }
        throw DebugImageError(
            overflow ? .malformed : .truncated, path: path,
            "has \(fileSize) bytes, but its \(what) should be at bytes \(offset)+\(size); copy or upload it again, whole"
        )
    }

    private func malformed(_ place: String, _ reason: String) -> DebugImageError {
        DebugImageError(.malformed, path: path, "has a damaged \(place) (\(reason)); copy or upload it again")
    }
}
