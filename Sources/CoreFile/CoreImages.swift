// SPDX-License-Identifier: Apache-2.0
package import CElfutils
package import VakaModel

/// An image that was loaded, with what its headers in memory say.
package struct CoreImage {
    package var image: DebugImage
    package var programHeaders: [Elf64_Phdr]
    package var isExecutable: Bool
    package var isVDSO: Bool

    package init(image: DebugImage, programHeaders: [Elf64_Phdr], isExecutable: Bool = false, isVDSO: Bool = false) {
        self.image = image
        self.programHeaders = programHeaders
        self.isExecutable = isExecutable
        self.isVDSO = isVDSO
    }

    package var loadBias: UInt64 { image.loadBias?.rawValue ?? 0 }

    fileprivate func contains(_ address: UInt64?) -> Bool { address.map { image.contains($0) } ?? false }
}

/// The images that were loaded: mapped files that begin with an ELF header, and the vDSO.
package struct CoreImages {
    private static let maximumHeaders = 128
    private static let maximumImages = 8192
    private static let pageBytes = 4096
    /// No image is larger.
    private static let maximumBytes: UInt64 = 1 << 40
    /// What the kernel adds to the name of a file that is gone.
    private static let deleted = " (deleted)"

    private let notes: CoreNotes
    private let memory: any ProcessMemory

    package init(notes: CoreNotes, memory: any ProcessMemory) {
        self.notes = notes
        self.memory = memory
    }

    package func images() -> [CoreImage] {
        var images: [CoreImage] = []
        for file in notes.files where file.fileOffset == 0 && images.count < Self.maximumImages {
            // The pages of a small file may be mapped again, for its data.
            let path = Self.plainPath(file.path)
            if let last = images.last, last.image.codeFile == path, last.contains(file.start) { continue }
            if let image = image(at: file.start, path: path) { images.append(image) }
        }
        if let vdso = notes.vdso, var image = image(at: vdso, path: "linux-vdso.so.1") {
            image.isVDSO = true
            images.append(image)
        }
        let entry = notes.auxiliary(AT_ENTRY)
        if let index = images.firstIndex(where: { $0.contains(entry) }) { images[index].isExecutable = true }
        return images
    }

    /// The path that a file had, also of one that is gone.
    package static func plainPath(_ path: String) -> String {
        path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path
    }

    /// Nil where the core has no ELF header there: a data file, or a header that was not dumped.
    package func image(at start: UInt64, path: String) -> CoreImage? {
        let page = memory.bytes(start, Self.pageBytes)
        guard let header = page.value(Elf64_Ehdr.self, at: 0), page.starts(with: [0x7f, 0x45, 0x4c, 0x46]),
            header.e_ident.4 == UInt8(ELFCLASS64), Int(header.e_phentsize) == MemoryLayout<Elf64_Phdr>.size
        else { return nil }
        let headers = (0..<min(Int(header.e_phnum), Self.maximumHeaders)).compactMap { index in
            memory.value(Elf64_Phdr.self, at: start &+ header.e_phoff &+ UInt64(index) &* UInt64(header.e_phentsize))
        }
        let loads = headers.filter { $0.p_type == UInt32(PT_LOAD) }
        guard let linked = loads.first.map({ $0.p_vaddr & ~0xfff }),
            let end = loads.map({ $0.p_vaddr &+ $0.p_memsz }).max(), end > linked, end - linked <= Self.maximumBytes,
            !start.addingReportingOverflow(end - linked).overflow
        else { return nil }
        let bias = start &- linked
        let image = DebugImage(
            buildID: headers.lazy.compactMap { buildID($0, bias) }.first, codeFile: path,
            imageAddress: HexAddress(start), imageSize: end - linked, loadBias: HexAddress(bias))
        return CoreImage(image: image, programHeaders: headers)
    }

    private func buildID(_ header: Elf64_Phdr, _ bias: UInt64) -> BuildID? {
        guard header.p_type == UInt32(PT_NOTE) else { return nil }
        return ElfNotes.buildID(memory.bytes(bias &+ header.p_vaddr, Int(min(header.p_filesz, UInt64(Self.pageBytes)))))
    }
}
