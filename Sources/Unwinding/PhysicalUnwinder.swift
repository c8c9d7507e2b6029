// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Walks the stacks of one process whose memory can be read at any address. Not thread-safe; opens each image's file
/// once for all threads.
package final class PhysicalUnwinder {
    private let images: ImageMap
    private let memory: CapturedMemory
    private let architecture: Architecture
    private let deadline: ContinuousClock.Instant

    /// Nil for an architecture whose stacks cannot be walked.
    /// - Parameters:
    ///   - architecture: as documents name it.
    ///   - locate: where an image's files are.
    ///   - read: up to so many bytes from an address on; fewer, or none, where the memory is not known.
    ///   - deadline: for all threads together.
    package init?(
        images: [DebugImage], architecture: String, deadline: ContinuousClock.Instant,
        locate: @escaping (DebugImage) -> ImageFiles, read: @escaping (UInt64, Int) -> [UInt8]
    ) {
        guard let known = Architecture(name: architecture) else { return nil }
        self.architecture = known
        self.images = ImageMap(images, locate: locate)
        memory = CapturedMemory(regions: [], images: self.images, reader: read)
        self.deadline = deadline
    }

    /// From a thread's registers by their usual names; no frames where the two that place it are not known.
    package func walk(_ registers: [String: HexAddress]) -> PhysicalStack {
        let start = Registers(architecture: architecture, named: registers)
        var walk = StackWalk(
            images: images, memory: memory, architecture: architecture, captureEnd: .max, deadline: deadline)
        walk.run(from: start)
        let frames = zip(walk.frames, walk.registers).map { frame, registers in
            PhysicalStack.Frame(
                instructionAddress: frame.instructionAddress.rawValue, stackPointer: registers.stackPointer ?? 0,
                trust: frame.trust, wasInterrupted: frame.notes.contains(Frame.interrupted))
        }
        return PhysicalStack(
            frames: frames, isComplete: walk.end == .complete, reachedFrameLimit: walk.end == .frameLimit,
            missingImages: walk.missingImages)
    }

    /// What an image's file holds at an address that nobody could have written to; nil where it is not known.
    package func readOnlyWord(_ address: UInt64) -> UInt64? { memory.read(address) }
}
