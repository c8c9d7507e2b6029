// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The awaiting callers of a Swift async function, from its context.
///
/// An async context begins with the caller's context and the function that resumes the caller. Linux has no mark that
/// tells an async frame from another: it is known by the mangled name of its function, which says that it resumes
/// another (`TQ`: after an await, `TY`: after a switch of executors). Only functions so named are taken for callers.
struct AsyncChain {
    /// What the walk over the contexts came to.
    enum Outcome {
        /// The thread ran no async function.
        case none
        /// The callers, innermost first; ended by the task's end or by what is no context.
        case callers([Frame])
        /// The context at this address was not captured, after these callers.
        case unknownMemory([Frame], UInt64)
        /// A frame is of an async function, but its registers are not known.
        case unknownRegisters
    }

    let images: ImageMap
    let memory: CapturedMemory
    let architecture: Architecture

    /// `registers` gives those of the frame with an index; it is asked for one frame only.
    func callers(of frames: [Frame], registers: (Int) -> Registers?) -> Outcome {
        for (index, frame) in frames.enumerated() {
            guard let image = images.image(at: frame.lookupAddress), image.isSwift,
                let function = image.function(at: frame.lookupAddress), AsyncName.isAsync(function.name)
            else { continue }
            guard let registers = registers(index) else { return .unknownRegisters }
            return follow(
                from: ownContexts(registers), ownFunction: function.address,
                limit: StackWalk.maximumFrames - frames.count)
        }
        return .none
    }

    /// Where the function's own context may be: beside the frame pointer where it has an extended frame, and in the
    /// register that contexts are passed in.
    private func ownContexts(_ registers: Registers) -> [UInt64] {
        let saved = registers.framePointer.flatMap { $0 >= 8 ? memory.read($0 - 8) : nil }
        let passed = registers[architecture == .x86_64 ? 14 : 22]
        return [saved, passed].compactMap { $0 }.filter { $0 != 0 && $0.isMultiple(of: 8) }
    }

    private func follow(from contexts: [UInt64], ownFunction: UInt64, limit: Int) -> Outcome {
        var unknown: UInt64?
        for start in contexts {
            var context = start
            // After an await it is the callee's context that was passed: it resumes the function itself.
            if memory.read(context &+ 8) == ownFunction, let own = memory.read(context) { context = own }
            guard memory.read(context) != nil, let resume = memory.read(context &+ 8) else {
                unknown = context
                continue
            }
            if resumedFunction(resume) != nil { return callers(from: context, limit: limit) }
        }
        return unknown.map { .unknownMemory([], $0) } ?? .callers([])
    }

    private func callers(from start: UInt64, limit: Int) -> Outcome {
        var frames: [Frame] = []
        var seen: Set<UInt64> = []
        var context = start
        while context != 0, frames.count < limit, seen.insert(context).inserted {
            guard let parent = memory.read(context), let resume = memory.read(context &+ 8) else {
                return .unknownMemory(frames, context)
            }
            guard let image = resumedFunction(resume) else { break }
            frames.append(
                Frame(
                    instructionAddress: HexAddress(resume), trust: .async, module: image.name, buildID: image.buildID,
                    relativeAddress: HexAddress(resume &- image.imageAddress.rawValue)))
            context = parent
        }
        return .callers(frames)
    }

    /// The image of a function that resumes another, where one starts at this address.
    private func resumedFunction(_ address: UInt64) -> DebugImage? {
        guard let image = images.image(at: address), image.isSwift, let function = image.function(at: address),
            function.address == address, AsyncName.resumes(function.name)
        else { return nil }
        return image.image
    }
}
