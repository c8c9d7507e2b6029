// SPDX-License-Identifier: Apache-2.0
import CElfutils
import FoundationEssentials
import VakaModel

/// The images of a report for a written core: what tells a debugger which files were mapped, and where.
struct CoreWriterImages {
    private(set) var missing: [DebugImage] = []
    private var found: [CoreImageFile] = []
    private var executable: CoreImageFile?
    /// Where the kernel mapped the vDSO.
    private(set) var vdso: UInt64?
    private let images: [DebugImage]

    init(_ event: Event, machine: UInt16, limit: Int, recordedPaths: Bool, file: (DebugImage) -> String?) {
        images = Array(event.debugImages.prefix(limit))
        for image in images {
            if image.isVDSO {
                vdso = image.imageAddress.rawValue
            } else if let path = file(image),
                let file = CoreImageFile(
                    path: path, image: image, machine: machine, name: recordedPaths ? image.codeFile : nil)
            {
                found.append(file)
                if executable == nil, image == images.first(where: { !$0.isVDSO }) { executable = file }
            } else {
                missing.append(image)
            }
        }
    }

    /// What the kernel told the program at its start.
    var auxiliary: [(key: Int32, value: UInt64)] {
        var entries: [(key: Int32, value: UInt64)] = [(AT_PAGESZ, 4096)]
        if let vdso { entries.append((AT_SYSINFO_EHDR, vdso)) }
        guard let executable else { return entries }
        if let address = executable.headersAddress { entries.append((AT_PHDR, address)) }
        entries.append((AT_PHENT, UInt64(executable.header.e_phentsize)))
        entries.append((AT_PHNUM, UInt64(executable.header.e_phnum)))
        entries.append((AT_ENTRY, executable.entry))
        entries.append((AT_BASE, interpreter ?? 0))
        return entries
    }

    /// Where the dynamic linker was.
    private var interpreter: UInt64? {
        guard let name = executable?.interpreter?.split(separator: "/").last else { return nil }
        return images.first { $0.name == String(name) }?.imageAddress.rawValue
    }

    /// By address, as the kernel has them. An image without its file is one mapping.
    var mappings: [CoreNotes.MappedFile] {
        let whole: [CoreNotes.MappedFile] = missing.compactMap { image in
            let start = image.imageAddress.rawValue
            let end = start.addingReportingOverflow(image.imageSize)
            guard let path = image.codeFile, image.imageSize > 0, !end.overflow else { return nil }
            return CoreNotes.MappedFile(start: start, end: end.partialValue, fileOffset: 0, path: path)
        }
        return (found.flatMap(\.mappings) + whole).sorted { $0.start < $1.start }
    }

    /// Before the captured memory: the vDSO's header without section headers, which no segment of it has. Debuggers
    /// that read it out of memory would look for them there.
    func addVDSOHeader(to space: inout CoreAddressSpace, captured: [MemoryRegion]) {
        guard let vdso, let region = captured.first(where: { $0.address.rawValue == vdso }),
            var header = region.data.withUnsafeBytes({ $0.value(Elf64_Ehdr.self, at: 0) })
        else { return }
        (header.e_shoff, header.e_shnum, header.e_shstrndx) = (0, 0, 0)
        space.add(vdso, withUnsafeBytes(of: header) { Data($0) }, isWritable: true)
    }

    /// After the captured memory was added: what identifies each file, and the dynamic linker's list.
    func addMemory(to space: inout CoreAddressSpace) {
        let mappings = mappings
        let lowest = min(space.pieces.first?.address ?? .max, mappings.first?.start ?? .max)
        let highest = max(space.pieces.last?.end ?? 0, mappings.map(\.end).max() ?? 0)
        for file in found {
            for part in file.identifyingMemory { space.add(part.address, part.data, isWritable: false) }
        }
        guard let executable, let section = executable.dynamicSection,
            let list = CoreLinkMap(
                [executable] + found.filter { $0.bias != executable.bias || $0.path != executable.path },
                interpreter: interpreter, lowest: lowest, highest: highest),
            let linked = list.linked(section.data)
        else { return }
        space.add(section.address, linked, isWritable: true)
        space.add(list.address, list.data, isWritable: true)
    }
}

extension DebugImage {
    fileprivate var isVDSO: Bool { name.map { $0.hasPrefix("linux-vdso") || $0 == "[vdso]" } ?? false }
}
