// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CrashRecord
import FoundationEssentials
import VakaModel

/// The notes of a core as the kernel orders them: those that follow a thread's status belong to that thread.
struct CoreNoteWriter {
    private static let signalInfoBytes = 128
    private static let programBytes = 136
    private static let pageSize: UInt64 = 4096

    let event: Event
    let machine: UInt16
    /// The crashed one first.
    let threads: [ThreadState]
    let auxiliary: [(key: Int32, value: UInt64)]
    let mappings: [CoreNotes.MappedFile]

    func notes() -> Data {
        var notes = Data()
        for (index, thread) in threads.enumerated() {
            Self.append(NT_PRSTATUS, status(thread, signal: index == 0 ? signal : 0), to: &notes)
            guard index == 0 else { continue }
            Self.append(NT_PRPSINFO, program, to: &notes)
            if let signalInfo { Self.append(NT_SIGINFO, signalInfo, to: &notes) }
            Self.append(NT_AUXV, auxiliaryVector, to: &notes)
            if !mappings.isEmpty { Self.append(NT_FILE, mappedFiles, to: &notes) }
        }
        return notes
    }

    private static func append(_ type: Int32, _ description: Data, to notes: inout Data) {
        notes.append(integer: UInt32(5))
        notes.append(integer: UInt32(truncatingIfNeeded: description.count))
        notes.append(integer: UInt32(bitPattern: type))
        notes.append(contentsOf: Array("CORE\0\0\0\0".utf8))
        notes.append(description)
        notes.pad(to: (notes.count + 3) / 4 * 4)
    }

    private var signal: Int32 { event.reason?.number.flatMap { Int32(exactly: $0) } ?? 0 }
    private var processID: Int32 { identifier("pid") ?? Int32(truncatingIfNeeded: threads.first?.id ?? 0) }

    private func identifier(_ key: String) -> Int32? {
        guard case .integer(let value)? = event.contexts["process"]?.object?[key] else { return nil }
        return Int32(exactly: value)
    }

    /// elf_prstatus: the signal, the thread's id, the registers; what is not known is 0.
    private func status(_ thread: ThreadState, signal: Int32) -> Data {
        var status = Data()
        status.append(integer: signal)
        status.pad(to: 12)
        status.append(integer: Int16(truncatingIfNeeded: signal))
        status.pad(to: CoreNotes.statusPID)
        status.append(integer: Int32(truncatingIfNeeded: thread.id))
        status.append(integer: identifier("parent_pid") ?? 0)
        status.pad(to: CoreNotes.statusRegisters)
        status.append(words: CoreRegisters.words(thread.registers, machine: machine))
        status.append(integer: UInt64(0))
        return status
    }

    /// elf_prpsinfo.
    private var program: Data {
        let process = event.contexts["process"]?.object ?? [:]
        let name = Array((process["name"]?.string ?? event.debugImages.first?.name ?? "").utf8)
        let path = Array((process["executable"]?.string ?? event.debugImages.first?.codeFile ?? "").utf8)
        var program = Data()
        program.pad(to: 24)
        program.append(integer: processID)
        program.append(integer: identifier("parent_pid") ?? 0)
        program.pad(to: 40)
        program.append(contentsOf: name.prefix(15))
        program.pad(to: 56)
        program.append(contentsOf: path.prefix(79))
        program.pad(to: Self.programBytes)
        return program
    }

    /// siginfo_t; nil where the code is not known, as a 0 would say that another process sent the signal.
    private var signalInfo: Data? {
        guard let reason = event.reason, let code = SignalReason.code(of: reason) else { return nil }
        var info = Data()
        info.append(integer: signal)
        info.append(integer: Int32(0))
        info.append(integer: code)
        info.pad(to: 16)
        if code > 0 {
            info.append(integer: reason.faultAddress?.rawValue ?? 0)
        } else {
            info.append(integer: reason.senderPID.flatMap { Int32(exactly: $0) } ?? processID)
        }
        info.pad(to: Self.signalInfoBytes)
        return info
    }

    private var auxiliaryVector: Data {
        var vector = Data()
        for (key, value) in auxiliary { vector.append(words: [UInt64(UInt32(bitPattern: key)), value]) }
        vector.append(words: [UInt64(AT_NULL), 0])
        return vector
    }

    private var mappedFiles: Data {
        var files = Data()
        files.append(words: [UInt64(mappings.count), Self.pageSize])
        for mapping in mappings {
            files.append(words: [mapping.start, mapping.end, mapping.fileOffset / Self.pageSize])
        }
        for mapping in mappings { files.append(contentsOf: mapping.path.utf8.prefix { $0 != 0 } + [0]) }
        return files
    }
}
