// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
import VakaModel

/// The document's threads: the crashed one first, or the one that a snapshot is about, then the others by their id.
struct ThreadBuilder {
    let contents: RecordContents
    let architecture: Architecture?
    let images: [DebugImage]
    let crashedBehindTrap: Bool

    private static let trusts: [UInt32: FrameTrust] = [
        VAKA_TRUST_CONTEXT.rawValue: .context, VAKA_TRUST_CFI.rawValue: .cfi, VAKA_TRUST_STACK_TOP.rawValue: .stackTop,
        VAKA_TRUST_FRAME_POINTER.rawValue: .framePointer, VAKA_TRUST_ASYNC.rawValue: .async,
        VAKA_TRUST_SCAN.rawValue: .scan,
    ]

    func threads() -> [ThreadState] {
        var seen: Set<Int32> = []
        let threads = contents.threads.filter { seen.insert($0.head.tid).inserted }.map(thread)
        let orphan = seen.isEmpty ? orphanThread : nil
        return (threads + (orphan.map { [$0] } ?? [])).sorted { left, right in
            let (first, second) = (left.crashed || left.current == true, right.crashed || right.current == true)
            return first != second ? first : left.id < right.id
        }
    }

    private func thread(_ thread: RecordContents.Thread) -> ThreadState {
        let head = thread.head
        var state = ThreadState(
            id: Int(head.tid), name: has(head, VAKA_THREAD_NAME) ? text(byteArray(head.name)) : nil,
            crashed: has(head, VAKA_THREAD_CRASHED))
        if has(head, VAKA_THREAD_CURRENT) { state.current = true }
        if has(head, VAKA_THREAD_POINTERS_ONLY) { state.pointersOnly = true }
        if has(head, VAKA_THREAD_REGISTERS), let names = architecture?.registerNames,
            names.count == thread.registers.count
        {
            let known = has(head, VAKA_THREAD_PLACE_ONLY) ? architecture?.placeRegisters : nil
            state.registers = Dictionary(uniqueKeysWithValues: zip(names, thread.registers.map { HexAddress($0) }))
                .filter { known?.contains($0.key) ?? true }
                .filter { state.pointersOnly == nil || $0.value.rawValue != VAKA_LEFT_OUT }
        }
        addFramesAndStack(to: &state, tid: head.tid)
        return state
    }

    /// The crashed thread where its own section is damaged but its frames or its stack are there.
    private var orphanThread: ThreadState? {
        guard let tid = contents.frames.first?.head.tid ?? contents.stacks.first?.head.tid else { return nil }
        var state = ThreadState(id: Int(tid), crashed: contents.reason?.tid == tid)
        addFramesAndStack(to: &state, tid: tid)
        return state
    }

    private func addFramesAndStack(to state: inout ThreadState, tid: Int32) {
        if let walk = contents.frames.first(where: { $0.head.tid == tid }) {
            state.frames = walk.frames.enumerated().map { index, frame in
                self.frame(frame, isBehindTrap: crashedBehindTrap && state.crashed && index == 0)
            }
            state.framesTruncated = walk.head.flags & VAKA_FRAMES_COMPLETE.rawValue == 0
        }
        if let stack = contents.stacks.first(where: { $0.head.tid == tid }) {
            state.stack = MemoryRegion(address: HexAddress(stack.head.address), data: Data(stack.bytes))
            if stack.head.flags & VAKA_MEMORY_POINTERS_ONLY.rawValue != 0 { state.pointersOnly = true }
        }
    }

    private func frame(_ frame: vaka_frame, isBehindTrap: Bool) -> Frame {
        let wasInterrupted = frame.flags & VAKA_FRAME_INTERRUPTED.rawValue != 0
        var result = Frame(
            instructionAddress: HexAddress(frame.instruction_address), trust: Self.trusts[frame.trust] ?? .scan,
            notes: (wasInterrupted ? [Frame.interrupted] : []) + (isBehindTrap ? [Frame.trapped] : [])
                + (frame.instruction_address == VAKA_LEFT_OUT ? [Frame.leftOut] : []))
        guard let image = images.first(where: { $0.contains(result.lookupAddress) }) else { return result }
        result.module = image.name
        result.buildID = image.buildID
        result.relativeAddress = HexAddress(frame.instruction_address &- image.imageAddress.rawValue)
        return result
    }

    private func has(_ head: vaka_thread, _ flag: vaka_thread_flag) -> Bool { head.flags & flag.rawValue != 0 }
}
