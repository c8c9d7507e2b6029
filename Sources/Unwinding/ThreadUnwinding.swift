// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Unwinds one thread of an event and says what could not be had. Frames that came with the thread and lead to the
/// stack's end stay as they are: the walk over the captured memory is for stacks that the handler could not follow.
struct ThreadUnwinding {
    let images: ImageMap
    /// Beside the thread's stack.
    let memory: [MemoryRegion]
    let architecture: Architecture
    let deadline: ContinuousClock.Instant
    let crashedBehindTrap: Bool

    func unwind(_ thread: ThreadState) -> (thread: ThreadState, loss: [Loss]) {
        var registers = Registers(architecture: architecture, named: thread.registers)
        if thread.pointersOnly == true {
            // They led nowhere: the walk looks on from there.
            registers.programCounter = registers.programCounter ?? MemoryRegion.leftOut
            registers.stackPointer = registers.stackPointer ?? MemoryRegion.leftOut
        }
        guard registers.programCounter != nil, registers.stackPointer != nil else {
            return (thread, [Self.loss(of: thread, "its program counter or stack pointer was not captured")])
        }
        let captured = CapturedFrames(of: thread)
        var walk = walk(over: thread)
        var result = thread
        var loss: [Loss] = []
        if captured.isWhole {
            result.frames = captured.frames.map(described)
        } else {
            walk.run(from: registers, isBehindTrap: crashedBehindTrap && thread.crashed)
            loss = thread.stack == nil ? [Self.loss(of: thread, "its stack was not captured")] : []
            loss += walk.missingImages.map { Self.loss(of: thread, Self.missing($0)) }
            if captured.areBetter(than: walk) {
                let why =
                    "the walk over the captured memory ended after \(walk.frames.count) frames (\(walk.end.reason)); "
                    + "the \(captured.frames.count) frames found at the crash are kept"
                return (thread, loss + [Self.loss(of: thread, why)])
            }
            result.frames = walk.frames.map(Self.marked)
            result.framesTruncated = walk.end != .complete
        }
        let chain = AsyncChain(images: images, memory: walk.memory, architecture: architecture)
        let callers = chain.callers(of: result.frames) { index in
            if index == 0 { return registers }
            if walk.frames.isEmpty { walk.run(from: registers) }
            let isThere = walk.frames.indices.contains(index)
            return isThere && walk.frames[index].instructionAddress == result.frames[index].instructionAddress
                ? walk.registers[index] : nil
        }
        loss += append(callers, to: &result)
        return (result, loss)
    }

    private func walk(over thread: ThreadState) -> StackWalk {
        let regions = (thread.stack.map { [$0] } ?? []) + memory
        return StackWalk(
            images: images, memory: CapturedMemory(regions: regions, images: images), architecture: architecture,
            captureEnd: thread.stack?.end ?? .max, deadline: deadline)
    }

    private static func marked(_ frame: Frame) -> Frame {
        guard frame.instructionAddress.rawValue == MemoryRegion.leftOut, frame.notes.isEmpty else { return frame }
        var frame = frame
        frame.notes = [Frame.leftOut]
        return frame
    }

    /// A captured frame with its image, as the walk's frames have it.
    private func described(_ frame: Frame) -> Frame {
        guard let image = images.image(at: frame.lookupAddress)?.image else { return frame }
        var frame = frame
        frame.module = image.name
        frame.buildID = image.buildID
        frame.relativeAddress = HexAddress(frame.instructionAddress.rawValue &- image.imageAddress.rawValue)
        return frame
    }

    private func append(_ callers: AsyncChain.Outcome, to thread: inout ThreadState) -> [Loss] {
        switch callers {
        case .none: return []
        case .callers(let frames):
            thread.frames += frames
            return []
        case .unknownMemory(let frames, let context):
            thread.frames += frames
            let place = context == MemoryRegion.leftOut ? "an address that was left out" : "\(HexAddress(context))"
            let why = "the async context at \(place) was not captured"
            return [Loss(what: Self.awaitingCallers(of: thread), why: why)]
        case .unknownRegisters:
            let why = "the registers of the async function that ran are not known, as its stack was not captured"
            return [Loss(what: Self.awaitingCallers(of: thread), why: why)]
        }
    }

    // MARK: What is said of what could not be had

    static func loss(of thread: ThreadState, _ why: String) -> Loss {
        Loss(what: frames(of: thread), why: why)
    }

    /// Whether an earlier unwinding said it of this thread.
    static func saysLoss(_ loss: Loss, of thread: ThreadState) -> Bool {
        loss.what == frames(of: thread) || loss.what == awaitingCallers(of: thread)
    }

    private static func frames(of thread: ThreadState) -> String { "frames of thread \(thread.id)" }

    private static func awaitingCallers(of thread: ThreadState) -> String {
        "awaiting callers of thread \(thread.id)"
    }

    private static func missing(_ image: DebugImage) -> String {
        let name = image.name ?? "the image at \(image.imageAddress)"
        let id = image.buildID.map { " with build id \($0)" } ?? ""
        return "\(name)\(id) was not found, so that the frames beyond it were found by frame pointers or a scan"
    }
}

extension StackWalk.End {
    /// For a person.
    var reason: String {
        switch self {
        case .complete: "the stack's end"
        case .frameLimit: "the limit of \(StackWalk.maximumFrames) frames"
        case .timeLimit: "the time limit"
        case .capturedMemory: "the stack goes on beyond what was captured"
        case .cycle: "the same frame came again"
        case .lost: "no caller could be found"
        }
    }
}

extension MemoryRegion {
    /// The greatest address where it would go past the end of the address space.
    fileprivate var end: UInt64 {
        let end = address.rawValue.addingReportingOverflow(UInt64(data.count))
        return end.overflow ? .max : end.partialValue
    }
}
