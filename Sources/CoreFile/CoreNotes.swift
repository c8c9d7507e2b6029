// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// What the notes of a core tell (core(5), the kernel's fs/binfmt_elf.c): threads, signal, mapped files, program.
struct CoreNotes {
    struct Thread {
        var id: Int
        var signal: Int32
        var registers: UnsafeRawBufferPointer
    }

    struct MappedFile {
        var start: UInt64
        var end: UInt64
        var fileOffset: UInt64
        var path: String
    }

    private(set) var threads: [Thread] = []
    private(set) var signalInfo: UnsafeRawBufferPointer?
    private(set) var files: [MappedFile] = []
    private(set) var programName: String?
    private(set) var processID: Int?
    private(set) var parentID: Int?
    /// Where the kernel mapped the vDSO.
    private(set) var vdso: UInt64?

    private static let maximumThreads = 4096
    private static let maximumFiles = 65_536
    /// Where pr_pid and pr_reg lie in elf_prstatus on 64-bit machines.
    static let statusPID = 32
    static let statusRegisters = 112

    mutating func read(_ notes: UnsafeRawBufferPointer) {
        for note in ElfNotes(notes) { take(note.type, note.description) }
    }

    private mutating func take(_ type: UInt32, _ note: UnsafeRawBufferPointer) {
        switch Int32(bitPattern: type) {
        case NT_PRSTATUS: takeThread(note)
        case NT_PRPSINFO: takeProgram(note)
        case NT_SIGINFO where signalInfo == nil: signalInfo = note
        case NT_FILE: takeFiles(note)
        case NT_AUXV: takeAuxiliary(note)
        default: break
        }
    }

    private mutating func takeThread(_ note: UnsafeRawBufferPointer) {
        guard threads.count < Self.maximumThreads, note.count > Self.statusRegisters,
            let pid = note.value(Int32.self, at: Self.statusPID), let signal = note.value(Int16.self, at: 12)
        else { return }
        let registers = UnsafeRawBufferPointer(rebasing: note[Self.statusRegisters...])
        threads.append(Thread(id: Int(pid), signal: Int32(signal), registers: registers))
    }

    private mutating func takeProgram(_ note: UnsafeRawBufferPointer) {
        guard note.count >= 56 else { return }
        processID = note.value(Int32.self, at: 24).map(Int.init)
        parentID = note.value(Int32.self, at: 28).map(Int.init)
        programName = text(note[40..<56])
    }

    private mutating func takeFiles(_ note: UnsafeRawBufferPointer) {
        guard let count = note.value(UInt64.self, at: 0), count <= UInt64(Self.maximumFiles - files.count),
            let pageSize = note.value(UInt64.self, at: 8)
        else { return }
        var name = 16 + Int(count) * 24
        for index in 0..<Int(count) {
            let entry = 16 + index * 24
            guard let start = note.value(UInt64.self, at: entry), let end = note.value(UInt64.self, at: entry + 8),
                let page = note.value(UInt64.self, at: entry + 16), name < note.count
            else { return }
            let path = text(note[name...])
            name += path.utf8.count + 1
            let offset = page.multipliedReportingOverflow(by: pageSize)
            guard start < end, !offset.overflow else { continue }
            files.append(MappedFile(start: start, end: end, fileOffset: offset.partialValue, path: path))
        }
    }

    private mutating func takeAuxiliary(_ note: UnsafeRawBufferPointer) {
        for offset in stride(from: 0, to: note.count, by: 16) {
            guard let key = note.value(UInt64.self, at: offset) else { return }
            if key == UInt64(AT_SYSINFO_EHDR) { vdso = note.value(UInt64.self, at: offset + 8) }
        }
    }

    private func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
