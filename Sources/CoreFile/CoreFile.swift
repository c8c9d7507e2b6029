// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CrashRecord
import FoundationEssentials
import Glibc
package import VakaModel

/// An ELF core file as a report: threads, registers, stacks, images and the signal. Reading takes memory for the
/// stacks' slices only, whatever the core's size.
package struct CoreFile {
    private let path: String
    private let file: CoreBytes
    private let machine: UInt16
    private let architecture: String
    private var notes = CoreNotes()
    private var memory: CoreMemory
    private var segments = CoreSegments()

    /// Of each thread's stack, and of all together; where there are many threads each has less.
    private static let stackBytes: UInt64 = 256 * 1024
    private static let allStackBytes: UInt64 = 128 * 1024 * 1024
    private static let redZone: UInt64 = 128
    private static let maximumSegments = 65_535

    package init(path: String) throws(CoreFileError) {
        self.path = path
        file = try CoreBytes(path: path)
        guard let header = file.value(Elf64_Ehdr.self, at: 0), file.value(UInt32.self, at: 0) == 0x464c_457f,
            header.e_ident.4 == UInt8(ELFCLASS64), header.e_ident.5 == UInt8(ELFDATA2LSB),
            header.e_type == UInt16(ET_CORE)
        else {
            throw CoreFileError(
                code: .notACore,
                message: "\(path): an ELF file that is no core (64-bit, little-endian), so it is no report")
        }
        guard let architecture = CoreRegisters.architecture(header.e_machine) else {
            throw CoreFileError(
                code: .unsupportedArchitecture,
                message:
                    "\(path): a core of a machine with ELF number \(header.e_machine); x86_64 and arm64 are supported")
        }
        self.architecture = architecture
        machine = header.e_machine
        memory = CoreMemory(file: file)
        readSegments(header)
        guard !notes.threads.isEmpty else {
            throw CoreFileError(code: .noThreads, message: "\(path): the core tells of no thread; is it cut short?")
        }
    }

    /// The notes of an honest core lie one after the other: headers that point to the same ones again and again are
    /// not followed beyond the file's size.
    private mutating func readSegments(_ header: Elf64_Ehdr) {
        guard Int(header.e_phentsize) == MemoryLayout<Elf64_Phdr>.size else { return }
        var noteBytes = 0
        defer {
            memory.sort()
            segments.sort()
        }
        for index in 0..<min(Int(header.e_phnum), Self.maximumSegments) {
            let place = header.e_phoff.addingReportingOverflow(UInt64(index) * UInt64(header.e_phentsize))
            guard !place.overflow, let segment = file.value(Elf64_Phdr.self, at: place.partialValue) else { return }
            if segment.p_type == UInt32(PT_LOAD) {
                memory.add(segment)
                segments.add(segment)
            }
            if segment.p_type == UInt32(PT_NOTE), let bytes = file.slice(segment.p_offset, segment.p_filesz) {
                noteBytes += bytes.count
                guard noteBytes <= file.count else { return }
                notes.read(bytes, machine: machine)
            }
        }
    }

    /// The document, unsymbolicated. The thread that the kernel names first is the one that crashed.
    package func event() -> Event {
        var event = Event(
            eventID: eventID, type: .crash, timestamp: timestamp, level: .fatal, arch: architecture)
        event.contexts = [
            "os": [:], "kernel": [:], "libc": [:], "host": [:], "container": [:], "process": .object(process),
        ]
        event.reason = CoreReason(notes, machine: machine, memory: memory, segments: segments)?
            .reason(processID: notes.processID)
        event.threads = notes.threads.enumerated().map { index, thread in state(thread, crashed: index == 0) }
        event.debugImages = CoreImages(notes: notes, memory: memory).images().map(\.image)
        event.loss = [Loss(what: "breadcrumbs, user, tags and release", why: "a core file does not hold them")]
        return event
    }

    private func state(_ thread: CoreNotes.Thread, crashed: Bool) -> ThreadState {
        var state = ThreadState(id: thread.id, crashed: crashed)
        state.registers = CoreRegisters.values(thread.registers, machine: machine)
        let pointer = (state.registers["rsp"] ?? state.registers["sp"])?.rawValue ?? 0
        let bytes = min(Self.stackBytes, Self.allStackBytes / UInt64(notes.threads.count))
        state.stack = memory.region(pointer &- Self.redZone, bytes) ?? memory.region(pointer, bytes)
        if let address = state.registers["rip"] ?? state.registers["pc"] {
            state.frames = [Frame(instructionAddress: address, trust: .context)]
        }
        state.framesTruncated = true
        return state
    }

    private var process: [String: JSONValue] {
        var process: [String: JSONValue] = [:]
        process["name"] = notes.programName.map { .string($0) }
        process["pid"] = notes.processID.map { .integer(Int64($0)) }
        process["parent_pid"] = notes.parentID.map { .integer(Int64($0)) }
        return process
    }

    private var timestamp: Timestamp {
        let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return Timestamp(date ?? Date(timeIntervalSince1970: 0))
    }

    /// The same core always gives the same id: that of its headers and notes, which come first.
    private var eventID: String {
        StableID.of(Array(file.slice(0, 256 * 1024).map { Array($0) } ?? []))
    }
}
