// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// What the notes of a core tell (core(5), the kernel's fs/binfmt_elf.c): threads, signal, mapped files, program.
package struct CoreNotes {
    package struct Thread {
        package var id: Int
        package var signal: Int32
        /// In the notes' order.
        package var registers: [UInt64]
    }

    package struct MappedFile {
        package var start: UInt64
        package var end: UInt64
        package var fileOffset: UInt64
        package var path: String
    }

    /// The one that crashed first.
    package private(set) var threads: [Thread] = []
    /// Threads that a core has beyond `maximumThreads`.
    package private(set) var threadsLeftOut = 0
    /// siginfo_t; empty where the core has none.
    package private(set) var signalInfo: [UInt8] = []
    package private(set) var files: [MappedFile] = []
    package private(set) var programName: String?
    package private(set) var processID: Int?
    package private(set) var parentID: Int?
    /// What the kernel told the program at its start, as it was.
    package private(set) var auxiliary: [UInt8] = []

    package static let maximumThreads = 4096
    private static let maximumFiles = 65_536
    private static let longestPath = 4096
    /// Where pr_pid and pr_reg lie in elf_prstatus on 64-bit machines.
    static let statusPID = 32
    static let statusRegisters = 112

    package init() {}

    /// How much of a note of this type is looked at; nil for one that is not.
    package static func longest(_ type: UInt32) -> Int? {
        switch Int32(bitPattern: type) {
        case NT_PRSTATUS, NT_PRPSINFO, NT_SIGINFO: 1024
        case NT_AUXV: 4096
        // The kernel writes at most 4 MiB.
        case NT_FILE: 8 << 20
        default: nil
        }
    }

    mutating func read(_ notes: UnsafeRawBufferPointer, machine: UInt16) {
        for note in ElfNotes(notes) where Self.longest(note.type) != nil {
            take(note.type, Array(note.description), machine: machine)
        }
    }

    package mutating func take(_ type: UInt32, _ note: [UInt8], machine: UInt16) {
        switch Int32(bitPattern: type) {
        case NT_PRSTATUS: takeThread(note, machine)
        case NT_PRPSINFO: takeProgram(note)
        case NT_SIGINFO where signalInfo.isEmpty: signalInfo = note
        case NT_FILE: takeFiles(note)
        case NT_AUXV where auxiliary.isEmpty: auxiliary = note
        default: break
        }
    }

    private mutating func takeThread(_ note: [UInt8], _ machine: UInt16) {
        guard let pid = note.value(Int32.self, at: Self.statusPID), let signal = note.value(Int16.self, at: 12),
            note.count > Self.statusRegisters
        else { return }
        guard threads.count < Self.maximumThreads else {
            threadsLeftOut += 1
            return
        }
        let registers = (0..<CoreRegisters.count(machine)).compactMap {
            note.value(UInt64.self, at: Self.statusRegisters + $0 * 8)
        }
        threads.append(Thread(id: Int(pid), signal: Int32(signal), registers: registers))
    }

    private mutating func takeProgram(_ note: [UInt8]) {
        guard note.count >= 56 else { return }
        processID = note.value(Int32.self, at: 24).map(Int.init)
        parentID = note.value(Int32.self, at: 28).map(Int.init)
        programName = note.text(at: 40, longest: 16)
    }

    /// A file that is mapped in pieces has its name once.
    private mutating func takeFiles(_ note: [UInt8]) {
        guard let count = note.value(UInt64.self, at: 0), count <= UInt64(Self.maximumFiles - files.count),
            let pageSize = note.value(UInt64.self, at: 8)
        else { return }
        var name = 16 + Int(count) * 24
        for index in 0..<Int(count) {
            let entry = 16 + index * 24
            guard let start = note.value(UInt64.self, at: entry), let end = note.value(UInt64.self, at: entry + 8),
                let page = note.value(UInt64.self, at: entry + 16), name < note.count
            else { return }
            let path = note.text(at: name, longest: Self.longestPath)
            name += (note[name...].firstIndex(of: 0) ?? note.count) - name + 1
            let offset = page.multipliedReportingOverflow(by: pageSize)
            guard start < end, !offset.overflow else { continue }
            files.append(
                MappedFile(
                    start: start, end: end, fileOffset: offset.partialValue,
                    path: path == files.last?.path ? files.last?.path ?? path : path))
        }
    }

    /// Where the kernel mapped the vDSO.
    package var vdso: UInt64? { auxiliary(AT_SYSINFO_EHDR) }

    /// A value that the kernel told the program at its start.
    package func auxiliary(_ key: Int32) -> UInt64? {
        stride(from: 0, to: auxiliary.count, by: 16)
            .first { auxiliary.value(UInt64.self, at: $0) == UInt64(UInt32(bitPattern: key)) }
            .flatMap { auxiliary.value(UInt64.self, at: $0 + 8) }
    }
}
