// SPDX-License-Identifier: Apache-2.0
import CElfutils
import VakaModel

/// The images that were loaded: mapped files that begin with an ELF header, and the vDSO.
struct CoreImages {
    let notes: CoreNotes
    let memory: CoreMemory

    private static let maximumHeaders = 128
    private static let maximumImages = 8192

    func images() -> [DebugImage] {
        var images: [DebugImage] = []
        var index = notes.files.startIndex
        while index < notes.files.endIndex, images.count < Self.maximumImages {
            let first = notes.files[index]
            var end = first.end
            index += 1
            while index < notes.files.endIndex, notes.files[index].path == first.path, notes.files[index].fileOffset > 0
            {
                end = max(end, notes.files[index].end)
                index += 1
            }
            if first.fileOffset == 0, let image = image(first.path, first.start, end) { images.append(image) }
        }
        if let vdso = notes.vdso, let image = image("linux-vdso.so.1", vdso, vdso &+ 0x2000) { images.append(image) }
        return images
    }

    /// Nil where the core has no ELF header there: a data file, or a header that was not dumped.
    private func image(_ path: String, _ start: UInt64, _ end: UInt64) -> DebugImage? {
        guard let header = memory.value(Elf64_Ehdr.self, at: start),
            memory.value(UInt32.self, at: start) == 0x464c_457f,
            end > start
        else { return nil }
        let headers = (0..<min(Int(header.e_phnum), Self.maximumHeaders)).compactMap { index in
            memory.value(Elf64_Phdr.self, at: start &+ header.e_phoff &+ UInt64(index) &* UInt64(header.e_phentsize))
        }
        let linked = headers.first { $0.p_type == UInt32(PT_LOAD) }.map { $0.p_vaddr & ~0xfff } ?? 0
        let bias = start &- linked
        return DebugImage(
            buildID: headers.lazy.compactMap { buildID($0, bias) }.first, codeFile: path,
            imageAddress: HexAddress(start),
            imageSize: end - start, loadBias: HexAddress(bias))
    }

    private func buildID(_ header: Elf64_Phdr, _ bias: UInt64) -> BuildID? {
        guard header.p_type == UInt32(PT_NOTE),
            let notes = memory.bytes(bias &+ header.p_vaddr, min(header.p_filesz, 4096))
        else { return nil }
        let note = ElfNotes(notes).first { $0.type == UInt32(NT_GNU_BUILD_ID) && $0.name.elementsEqual("GNU\0".utf8) }
        return note.flatMap { BuildID(bytes: Array($0.description)) }
    }
}
