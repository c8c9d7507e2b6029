// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CoreFile
import CrashRecord
import Unwinding
import VakaModel

/// The payloads of a record's sections of one thread.
struct ThreadSections {
    private static let redZone: UInt64 = 128
    private static let page: UInt64 = 4096
    /// How far above a stack pointer in no memory (an overflow) the stack is looked for.
    private static let searchPages = 64
    private static let trusts: [FrameTrust: vaka_trust] = [
        .context: VAKA_TRUST_CONTEXT, .cfi: VAKA_TRUST_CFI, .stackTop: VAKA_TRUST_STACK_TOP,
        .framePointer: VAKA_TRUST_FRAME_POINTER, .scan: VAKA_TRUST_SCAN,
    ]

    private let id: Int32
    private let isCrashed: Bool
    private let words: [UInt64]
    /// Nothing of its memory is told, and of its registers where it was and where its stack is.
    private let tellsPlaceOnly: Bool
    let registers: [String: HexAddress]

    init(_ thread: CoreNotes.Thread, machine: UInt16, isCrashed: Bool, tellsPlaceOnly: Bool = false) {
        self.tellsPlaceOnly = tellsPlaceOnly
        id = Int32(truncatingIfNeeded: thread.id)
        self.isCrashed = isCrashed
        registers = CoreRegisters.values(thread.registers, machine: machine)
        words = CoreRegisters.recordWords(thread.registers, machine: machine)
    }

    var programCounter: UInt64 { (registers["rip"] ?? registers["pc"])?.rawValue ?? 0 }
    var stackPointer: UInt64 { (registers["rsp"] ?? registers["sp"])?.rawValue ?? 0 }

    func thread(name: String?) -> [UInt8] {
        var thread = vaka_thread()
        thread.tid = id
        thread.flags = isCrashed ? VAKA_THREAD_CRASHED.rawValue : 0
        if !words.isEmpty { thread.flags |= VAKA_THREAD_REGISTERS.rawValue }
        if let name {
            thread.flags |= VAKA_THREAD_NAME.rawValue
            withUnsafeMutableBytes(of: &thread.name) { $0.copyBytes(from: Array(name.utf8.prefix(15))) }
        }
        if tellsPlaceOnly { thread.flags |= VAKA_THREAD_POINTERS_ONLY.rawValue }
        thread.register_count = UInt32(words.count)
        return RecordFileWriter.bytes(thread) + words.flatMap { RecordFileWriter.bytes(told($0)) }
    }

    private func told(_ word: UInt64) -> UInt64 {
        let isTold = !tellsPlaceOnly || word == 0 || word == programCounter || word == stackPointer
        return isTold ? word : MemoryRegion.leftOut
    }

    /// `stack` nil: it was not walked.
    func frames(_ stack: PhysicalStack?) -> [UInt8] {
        let innermost = PhysicalStack.Frame(
            instructionAddress: programCounter, stackPointer: stackPointer, trust: .context)
        let frames = stack?.frames ?? (words.isEmpty ? [] : [innermost])
        var head = vaka_frames(tid: id, count: UInt32(frames.count), flags: 0, reserved: 0)
        if stack?.isComplete == true { head.flags |= VAKA_FRAMES_COMPLETE.rawValue }
        if stack?.reachedFrameLimit == true { head.flags |= VAKA_FRAMES_TRUNCATED.rawValue }
        return RecordFileWriter.bytes(head) + frames.flatMap { RecordFileWriter.bytes(Self.frame($0)) }
    }

    private static func frame(_ frame: PhysicalStack.Frame) -> vaka_frame {
        vaka_frame(
            instruction_address: frame.instructionAddress, stack_pointer: frame.stackPointer,
            trust: (trusts[frame.trust] ?? VAKA_TRUST_SCAN).rawValue,
            flags: frame.wasInterrupted ? VAKA_FRAME_INTERRUPTED.rawValue : 0)
    }

    /// From below the stack pointer on, or from the first page above it that is there; nil where none is.
    func stack(_ wanted: Int, memory: any ProcessMemory) -> [UInt8]? {
        guard !tellsPlaceOnly else { return nil }
        var start = stackPointer > Self.redZone ? (stackPointer - Self.redZone) & ~15 : stackPointer
        for _ in 0..<Self.searchPages {
            let bytes = memory.bytes(start, wanted)
            if !bytes.isEmpty {
                let head = vaka_memory(address: start, bytes: UInt64(bytes.count), tid: id, flags: 0)
                return RecordFileWriter.bytes(head) + bytes
            }
            let next = (start & ~(Self.page - 1)).addingReportingOverflow(Self.page)
            guard !next.overflow else { return nil }
            start = next.partialValue
        }
        return nil
    }
}
