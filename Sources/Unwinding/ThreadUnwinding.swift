// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Unwinds one thread of an event and says what could not be had.
struct ThreadUnwinding {
    let images: ImageMap
    /// Beside the thread's stack.
    let memory: [MemoryRegion]
    let architecture: Architecture
    let deadline: ContinuousClock.Instant

    func unwind(_ thread: ThreadState) -> (thread: ThreadState, loss: [Loss]) {
        let registers = Registers(architecture: architecture, named: thread.registers)
        guard registers.programCounter != nil, registers.stackPointer != nil else {
            return (thread, [Self.loss(of: thread, "its program counter or stack pointer was not captured")])
        }
        let regions = (thread.stack.map { [$0] } ?? []) + memory
        let known = CapturedMemory(regions: regions, images: images)
        var walk = StackWalk(
            images: images, memory: known, architecture: architecture,
            stack: thread.stack ?? MemoryRegion(address: HexAddress(0), data: .init()), deadline: deadline)
        walk.run(from: registers)

        var loss = thread.stack == nil ? [Self.loss(of: thread, "its stack was not captured")] : []
        loss += walk.missingImages.map { Self.loss(of: thread, Self.missing($0)) }
        let captured = thread.frames.filter { $0.trust != .async }.count
        guard walk.end == .complete || walk.frames.count >= captured else {
            let why =
                "the walk over the captured memory ended after \(walk.frames.count) frames (\(walk.end.reason)); "
                + "the \(captured) frames found at the crash are kept"
            return (thread, loss + [Self.loss(of: thread, why)])
        }
        var result = thread
        result.frames = walk.frames
        result.framesTruncated = walk.end != .complete
        let chain = AsyncChain(images: images, memory: known, architecture: architecture)
        loss += append(chain.callers(of: walk.frames, registers: walk.registers), to: &result)
        return (result, loss)
    }

    private func append(_ callers: AsyncChain.Outcome, to thread: inout ThreadState) -> [Loss] {
        switch callers {
        case .none: return []
        case .callers(let frames):
            thread.frames += frames
            return []
        case .unknownMemory(let frames, let context):
            thread.frames += frames
            let why = "the async context at \(HexAddress(context)) was not captured"
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
