// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What the kernel leaves on the stack of a signal handler on arm64: the trampoline that the handler returns to lies in
/// the vDSO, which is no file, so that no call frame information tells of it. On x86_64 it lies in libc, which has some.
/// Layout: `struct rt_sigframe` and `struct sigcontext` of Linux's arch/arm64.
enum SignalFrame {
    private static let generalRegisters: UInt64 = 312
    private static let stackPointer: UInt64 = 560
    private static let programCounter: UInt64 = 568
    private static let processorState: UInt64 = 576
    /// `mov x8, #__NR_rt_sigreturn`, then `svc #0`.
    private static let trampoline: UInt64 = 0xd400_0001_d280_1168

    /// The registers that the signal interrupted; nil where the frame with these registers is no trampoline.
    static func interrupted(_ registers: Registers, memory: CapturedMemory) -> Registers? {
        guard registers.architecture == .arm64, let frame = registers.stackPointer,
            let returnAddress = registers.programCounter,
            case let code = memory.read(returnAddress), [nil, trampoline].contains(code),
            // Interrupted in user mode. (Of the signal itself nothing is said there unless the handler asked for it.)
            let state = memory.read(frame &+ processorState),
            state & 0xffff_ffff_0000_000f == 0 || (state == MemoryRegion.leftOut && code == trampoline)
        else { return nil }
        var interrupted = registers
        for register in 0...30 {
            let value = memory.read(frame &+ generalRegisters &+ 8 &* UInt64(register))
            interrupted[register] = value == MemoryRegion.leftOut ? nil : value
        }
        interrupted.stackPointer = memory.read(frame &+ stackPointer)
        interrupted.programCounter = memory.read(frame &+ programCounter)
        return interrupted.stackPointer == nil || interrupted.programCounter == nil ? nil : interrupted
    }
}
