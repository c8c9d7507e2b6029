// SPDX-License-Identifier: Apache-2.0
package import DebugImages
package import VakaModel

/// Finds the frames of an event's threads from their registers and the captured memory.
///
/// Each frame says how it was found; what could not be done is said in the event's `loss`. An unwinder keeps no state
/// between events: each call opens the files it needs, and any thread may call.
package final class Unwinder: Sendable {
    /// For all threads of one event.
    private static let timeLimit = Duration.seconds(5)

    private let locate: @Sendable (DebugImage) -> ImageFiles

    /// Image files are those that `finder` finds.
    package init(finder: ImageFinder) {
        locate = { image in
            let found = finder.find(image)
            return ImageFiles(code: found.codePath, debug: found.debugPath)
        }
    }

    /// Image files are at the images' recorded paths.
    init(locate: @escaping @Sendable (DebugImage) -> ImageFiles) {
        self.locate = locate
    }

    /// The event with the frames of every thread whose registers and stack were captured. A thread's captured frames
    /// stay where this finds fewer. Damaged or hostile events come back with few frames, never with an error.
    package func unwind(_ event: Event) -> Event {
        guard event.threads.contains(where: { !$0.registers.isEmpty }) else { return event }
        guard let architecture = Architecture(name: event.arch) else {
            var result = event
            result.loss.append(
                Loss(
                    what: "frames beyond those captured",
                    why: "the architecture \(event.arch ?? "of the event") is not one that can be unwound"))
            return result
        }
        let images = ImageMap(event.debugImages, locate: locate)
        let deadline = ContinuousClock.now + Self.timeLimit
        var result = event
        for index in result.threads.indices where !result.threads[index].registers.isEmpty {
            let outcome = unwind(
                result.threads[index], memory: event.memory ?? [], images: images, architecture: architecture,
                deadline: deadline)
            result.threads[index] = outcome.thread
            result.loss += outcome.loss
        }
        return result
    }

    private func unwind(
        _ thread: ThreadState, memory: [MemoryRegion], images: ImageMap, architecture: Architecture,
        deadline: ContinuousClock.Instant
    ) -> (thread: ThreadState, loss: [Loss]) {
        let what = "frames of thread \(thread.id)"
        let registers = Registers(architecture: architecture, named: thread.registers)
        guard registers.programCounter != nil, registers.stackPointer != nil else {
            return (thread, [Loss(what: what, why: "its program counter or stack pointer was not captured")])
        }
        let regions = (thread.stack.map { [$0] } ?? []) + memory
        let known = CapturedMemory(regions: regions, images: images)
        var walk = StackWalk(
            images: images, memory: known, architecture: architecture,
            stack: thread.stack ?? MemoryRegion(address: HexAddress(0), data: .init()), deadline: deadline)
        walk.run(from: registers)

        var result = thread
        var loss = thread.stack == nil ? [Loss(what: what, why: "its stack was not captured")] : []
        loss += walk.missingImages.map { Self.missing($0, what: what) }
        if walk.end == .complete || walk.frames.count >= thread.frames.count {
            result.frames = walk.frames
            result.framesTruncated = walk.end != .complete
            let chain = AsyncChain(images: images, memory: known, architecture: architecture)
            append(chain.callers(of: walk.frames, registers: walk.registers), to: &result, loss: &loss)
        } else {
            loss.append(
                Loss(
                    what: what,
                    why: "the walk over the captured memory ended after \(walk.frames.count) frames"
                        + " (\(walk.end.reason)); the \(thread.frames.count) frames found at the crash are kept"))
        }
        return (result, loss)
    }

    private func append(_ callers: AsyncChain.Outcome, to thread: inout ThreadState, loss: inout [Loss]) {
        switch callers {
        case .none: break
        case .callers(let frames): thread.frames += frames
        case .unknownMemory(let frames, let context):
            thread.frames += frames
            loss.append(
                Loss(
                    what: "awaiting callers of thread \(thread.id)",
                    why: "the async context at \(HexAddress(context)) was not captured"))
        }
    }

    private static func missing(_ image: DebugImage, what: String) -> Loss {
        let name = image.name ?? "the image at \(image.imageAddress)"
        let id = image.buildID.map { " with build id \($0)" } ?? ""
        return Loss(
            what: what,
            why: "\(name)\(id) was not found, so that the frames beyond it were found by frame pointers or a scan")
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
