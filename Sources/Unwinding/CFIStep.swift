// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One step to the caller by call frame information.
struct CFIStep {
    enum Outcome {
        /// The caller's registers; `interrupted`: a signal took it there, not a call.
        case caller(Registers, interrupted: Bool)
        /// The rules say that this frame has no caller.
        case endOfStack
        /// There are no rules for this address.
        case noInformation
        /// The rules need memory that is not known.
        case unreadable(UInt64)
        /// The rules come to nothing sensible.
        case invalid
    }

    let images: ImageMap
    let memory: CapturedMemory

    /// From the frame with these registers, its rules looked up at `lookupAddress`.
    func caller(of registers: Registers, lookupAddress: UInt64) -> Outcome {
        guard let frame = images.image(at: lookupAddress)?.frameDescription(at: lookupAddress) else {
            return .noInformation
        }
        do throws(ExpressionEvaluator.Failure) {
            return try apply(frame, to: registers)
        } catch {
            switch error {
            case .unreadable(let address): return .unreadable(address)
            case .invalid: return .invalid
            }
        }
    }

    private func apply(
        _ frame: FrameDescription, to registers: Registers
    ) throws(ExpressionEvaluator.Failure) -> Outcome {
        var evaluator = ExpressionEvaluator(registers: registers, memory: memory, loadBias: frame.loadBias)
        guard let expression = frame.canonicalFrameAddress else { return .invalid }
        let canonical = try evaluator.number(expression)
        evaluator.canonicalFrameAddress = canonical

        let architecture = registers.architecture
        let returnAddress: UInt64?
        switch frame.rule(for: frame.returnAddressRegister) {
        case .undefined: return .endOfStack
        case .sameValue: returnAddress = registers[frame.returnAddressRegister]
        case .expression(let operations): returnAddress = try evaluator.registerValue(operations)
        case .invalid: return .invalid
        }
        guard let returnAddress else { return .invalid }

        var caller = registers
        for register in 0..<registers.count where register != architecture.programCounter {
            switch frame.rule(for: register) {
            case .undefined, .invalid: caller[register] = nil
            case .sameValue: break
            // A register that cannot be had is no reason to stop: the walk may never need it.
            case .expression(let operations):
                let value = try? evaluator.registerValue(operations)
                caller[register] = value == MemoryRegion.leftOut ? nil : value
            }
        }
        caller.stackPointer = caller.stackPointer ?? canonical
        // What was left out of the memory is no address, signed or not.
        caller.programCounter =
            returnAddress == MemoryRegion.leftOut ? returnAddress : architecture.stripped(returnAddress)
        return .caller(caller, interrupted: frame.isSignalFrame)
    }
}
