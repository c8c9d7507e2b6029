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

    private let locate: @Sendable (DebugImage, _ machine: String?) -> ImageFiles

    /// Image files are those that `finder` finds.
    package init(finder: ImageFinder) {
        locate = { image, machine in
            let found = finder.find(image, machine: machine)
            return ImageFiles(code: found.codePath, debug: found.debugPath, activity: finder.activity)
        }
    }

    /// Image files are at the images' recorded paths.
    init(locate: @escaping @Sendable (DebugImage) -> ImageFiles) {
        self.locate = { image, _ in locate(image) }
    }

    /// The event with the frames of every thread whose registers and stack were captured. Frames that came with a thread
    /// and lead to its stack's end stay; others give way to what this finds, unless they are the better ones. Damaged or hostile events come back with few frames, never with an error.
    /// An event that was unwound before is done anew, as when files have come since; a thread whose stack is gone
    /// meanwhile keeps its frames.
    package func unwind(_ event: Event) -> Event {
        let machine = event.arch.flatMap(ELFIdentifier.machine(named:))
        let images = ImageMap(event.debugImages) { [locate] in locate($0, machine) }
        let deadline = ContinuousClock.now + Self.timeLimit
        var result = event
        for index in result.threads.indices where Self.isWorthUnwinding(result.threads[index], of: event) {
            let thread = result.threads[index]
            result.loss.removeAll { ThreadUnwinding.saysLoss($0, of: thread) }
            guard let architecture = Architecture(name: event.arch) else {
                let name = event.arch ?? "unknown"
                result.loss.append(
                    ThreadUnwinding.loss(of: thread, "the architecture is \(name), which cannot be unwound"))
                continue
            }
            let unwinding = ThreadUnwinding(
                images: images, memory: event.memory ?? [], architecture: architecture, deadline: deadline,
                crashedBehindTrap: event.crashedBehindTrap)
            let outcome = unwinding.unwind(thread)
            result.threads[index] = outcome.thread
            result.loss += outcome.loss
        }
        return result
    }

    private static func isWorthUnwinding(_ thread: ThreadState, of event: Event) -> Bool {
        guard !thread.registers.isEmpty else { return false }
        // Of a crash whose memory is gone, the awaiting callers that were found stay.
        return thread.stack != nil || thread.frames.isEmpty || event.memory?.isEmpty == false
    }
}
