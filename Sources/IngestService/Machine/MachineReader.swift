// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Disassembly
import Symbolication
import VakaModel

/// Reads the machine's state out of an event and the files of its images. In a worker only: both are strangers'.
struct MachineReader {
    private static let mostRegisters = 128
    private static let (before, after) = (10, 14)

    let finder: ImageFinder
    let symbolicator: Symbolicator

    func state(of event: Event, _ job: WorkerJob) throws -> MachineState {
        guard
            let thread = event.threads.first(where: { $0.id == job.thread }) ?? event.subjectThread
                ?? event.threads.first
        else { return Self.nothing("the event has no threads") }
        var state = MachineState(thread: thread.id)
        state.pointersOnly = thread.pointersOnly == true
        let memory = CapturedRegions(event, hidden: job.hidesMemory)
        state.registers = thread.registers.sorted { RegisterOrder($0.key) < RegisterOrder($1.key) }.prefix(
            Self.mostRegisters
        ).map { name, value in
            MachineState.Register(name: name, value: value, place: Self.place(value.rawValue, event))
        }
        state.memory = memory.around(state.registers, stackPointer: ["rsp", "sp"])
        if memory.isEmpty {
            state.whyNoMemory = memory.whyEmpty
        } else if state.memory.isEmpty {
            state.whyNoMemory = "no register of this thread points into the captured memory"
        }
        read(into: &state, event, thread, memory)
        return state
    }

    private func read(into state: inout MachineState, _ event: Event, _ thread: ThreadState, _ memory: CapturedRegions)
    {
        guard let counter = thread.registers["rip"] ?? thread.registers["pc"] ?? thread.frames.first?.instructionAddress
        else {
            state.whyNoInstructions = "it is not known where the thread was"
            return
        }
        guard let arch = event.arch, let disassembler = Disassembler(arch: arch) else {
            state.whyNoInstructions = "code of \(event.arch ?? "an unknown machine") is not decoded"
            return
        }
        let trapped: UInt64 = event.crashedBehindTrap && thread.crashed && counter.rawValue > 0 ? 1 : 0
        let address = counter.rawValue - trapped
        let code: CodeBytes
        switch CodeBytes.around(address, event, memory, finder) {
        case .found(let found): code = found
        case .missing(let why):
            state.whyNoInstructions = "\(why), and \(memory.whyNotThere)"
            return
        }
        let found = disassembler.instructions(
            around: code.position, of: code.bytes, at: address, before: Self.before, after: Self.after)
        guard !found.isEmpty else {
            state.whyNoInstructions = "the bytes at \(counter) are no instruction"
            return
        }
        state.instructionsFrom = code.source
        state.instructions = lines(found, current: address, event)
    }

    private func lines(_ instructions: [Instruction], current: UInt64, _ event: Event) -> [MachineState.Line] {
        let names = names(instructions.map(\.address) + instructions.compactMap(\.target), event)
        return instructions.map { one in
            let named = names[one.address]
            return MachineState.Line(
                address: one.address, bytes: Hexadecimal.text(one.bytes), text: one.text,
                isCurrent: one.address.rawValue == current, function: named?.function, file: named?.file,
                line: named?.line, target: one.target.flatMap { names[$0]?.function })
        }
    }

    /// What lies at addresses, as if each were a frame of its own.
    private func names(_ addresses: [HexAddress], _ event: Event) -> [HexAddress: Frame] {
        var lookup = Event(
            eventID: event.eventID, type: .snapshot, timestamp: event.timestamp, level: .info, arch: event.arch)
        lookup.debugImages = event.debugImages
        let frames = Set(addresses).sorted().map { Frame(instructionAddress: $0, trust: .context) }
        lookup.threads = frames.enumerated().map { ThreadState(id: $0 + 1, frames: [$1]) }
        let named = symbolicator.symbolicate(lookup).threads.compactMap(\.frames.first)
        return Dictionary(named.map { ($0.instructionAddress, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func place(_ address: UInt64, _ event: Event) -> String? {
        if let image = event.debugImages.first(where: { $0.contains(address) }) {
            return "\(image.name ?? "image") + \(HexAddress(address - image.imageAddress.rawValue))"
        }
        for thread in event.threads {
            guard let stack = thread.stack, address >= stack.address.rawValue,
                address - stack.address.rawValue < UInt64(stack.data.count)
            else { continue }
            return "stack of thread \(thread.id)"
        }
        return nil
    }

    private static func nothing(_ why: String) -> MachineState {
        var state = MachineState(thread: 0)
        (state.whyNoInstructions, state.whyNoMemory) = (why, why)
        return state
    }
}
