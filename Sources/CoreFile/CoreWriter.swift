// SPDX-License-Identifier: Apache-2.0
import CElfutils
package import FoundationEssentials
import Glibc
package import VakaModel

/// A report as an ELF core file, for debuggers: threads, registers, the captured memory, and where each image was.
package struct CoreWriter {
    private static let maximumSegments = 65_000
    private static let maximumImages = 8192

    private let machine: UInt16
    private let notes: Data
    private let space: CoreAddressSpace
    private let vdso: UInt64?
    /// Images whose files were not found: a debugger will not know them.
    package let missingImages: [DebugImage]
    /// Threads that are left out, as not even the place where they were is known.
    package let threadsLeftOut: Int

    /// - Parameters:
    ///   - recordedPaths: images are called as the program knew them, for a debugger on another machine than the files.
    ///   - file: where the file of an image is; nil where it was not found.
    package init(
        event: Event, recordedPaths: Bool = false, file: (DebugImage) -> String?
    ) throws(CoreFileError) {
        guard let arch = event.arch, let machine = CoreRegisters.machine(arch) else {
            throw CoreFileError(
                code: .unsupportedArchitecture,
                message: "the report is of \(event.arch ?? "an unknown architecture"); a core is written for "
                    + "\(Event.architectures.joined(separator: " and "))")
        }
        let threads = event.threads.filter { CoreRegisters.hasPlace($0.registers) }
        guard !threads.isEmpty else {
            throw CoreFileError(
                code: .noThreads,
                message: "the report has no thread's registers, which a core needs; is it a crash?")
        }
        let images = CoreWriterImages(
            event, machine: machine, limit: Self.maximumImages, recordedPaths: recordedPaths, file: file)
        var space = CoreAddressSpace()
        let captured = Self.captured(event)
        images.addVDSOHeader(to: &space, captured: captured)
        for region in captured { space.add(region.address.rawValue, region.data, isWritable: true) }
        images.addMemory(to: &space)
        guard space.pieces.count <= Self.maximumSegments else {
            throw CoreFileError(
                code: .tooLarge, message: "the report has more than \(Self.maximumSegments) regions of memory")
        }
        self.machine = machine
        self.space = space
        vdso = images.vdso
        missingImages = images.missing
        threadsLeftOut = event.threads.count - threads.count
        notes =
            CoreNoteWriter(
                event: event, machine: machine, threads: threads.filter(\.crashed) + threads.filter { !$0.crashed },
                auxiliary: images.auxiliary, mappings: images.mappings
            ).notes()
    }

    /// The whole core file.
    package var data: Data {
        let segments = space.segments()
        return segments.joined().reduce(into: heads(segments) + notes) { $0.append($1.data) }
    }

    private static func captured(_ event: Event) -> [MemoryRegion] {
        (event.threads.compactMap(\.stack) + (event.memory ?? [])).sorted { $0.address < $1.address }
    }

    /// Writes beside `path` and renames: a reader never sees half a core. Only a regular file is replaced.
    package func write(to path: String) throws(CoreFileError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw CoreFileError(code: .unwritable, message: "\(path): is no regular file; name another")
        }
        let temporary = "\(path).\(getpid()).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        var isWritten = writeParts(descriptor)
        var reason = errno
        if close(descriptor) != 0 { (isWritten, reason) = (false, errno) }
        if isWritten, rename(temporary, path) == 0 { return }
        if isWritten { reason = errno }
        unlink(temporary)
        errno = reason
        throw Self.unwritable(path)
    }

    private static func unwritable(_ path: String) -> CoreFileError {
        CoreFileError(code: .unwritable, message: "\(path): cannot be written: \(String(cString: strerror(errno)))")
    }

    private func writeParts(_ descriptor: Int32) -> Bool {
        let segments = space.segments()
        guard Self.write(heads(segments), descriptor), Self.write(notes, descriptor) else { return false }
        return segments.joined().allSatisfy { Self.write($0.data, descriptor) }
    }

    private static func write(_ data: Data, _ descriptor: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    /// The ELF header and the program headers; notes and memory follow in their order, without gaps.
    private func heads(_ segments: [ArraySlice<CoreAddressSpace.Piece>]) -> Data {
        var header = Elf64_Ehdr()
        withUnsafeMutableBytes(of: &header.e_ident) { identity in
            identity.copyBytes(from: [0x7f, 0x45, 0x4c, 0x46, UInt8(ELFCLASS64), UInt8(ELFDATA2LSB), UInt8(EV_CURRENT)])
        }
        header.e_type = UInt16(ET_CORE)
        header.e_machine = machine
        header.e_version = UInt32(EV_CURRENT)
        header.e_phoff = UInt64(MemoryLayout<Elf64_Ehdr>.size)
        header.e_ehsize = UInt16(MemoryLayout<Elf64_Ehdr>.size)
        header.e_phentsize = UInt16(MemoryLayout<Elf64_Phdr>.size)
        header.e_phnum = UInt16(segments.count + 1)
        var offset = header.e_phoff + UInt64(MemoryLayout<Elf64_Phdr>.size * (segments.count + 1))

        var data = withUnsafeBytes(of: header) { Data($0) }
        func add(_ type: Int32, flags: Int32, address: UInt64, bytes: UInt64) {
            var segment = Elf64_Phdr()
            segment.p_type = UInt32(type)
            segment.p_flags = UInt32(flags)
            segment.p_offset = offset
            segment.p_vaddr = address
            segment.p_filesz = bytes
            segment.p_memsz = type == PT_LOAD ? bytes : 0
            // gdb reads it in whole pages, and takes what the core does not have for zeros.
            if address == vdso { segment.p_memsz = (bytes + 4095) / 4096 * 4096 }
            segment.p_align = type == PT_LOAD ? 1 : 4
            withUnsafeBytes(of: segment) { data.append(contentsOf: $0) }
            offset += bytes
        }
        add(PT_NOTE, flags: PF_R, address: 0, bytes: UInt64(notes.count))
        for segment in segments {
            guard let first = segment.first, let last = segment.last else { continue }
            add(
                PT_LOAD, flags: first.isWritable ? PF_R | PF_W : PF_R, address: first.address,
                bytes: last.end - first.address)
        }
        return data
    }
}
