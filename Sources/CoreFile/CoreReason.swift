// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CInstruction
import CrashRecord
import Glibc
package import VakaModel

/// Why a process ended, out of its core: the signal's own information, and what the instruction tried to do with memory.
/// A core does not hold the processor's fault codes, so that the access is told by the instruction.
package struct CoreReason {
    package struct Sender {
        package var pid: Int32
        package var uid: UInt32
    }

    package private(set) var signal: Int32
    /// Nil where the core does not tell.
    package private(set) var code: Int32?
    package private(set) var error: Int32 = 0
    package private(set) var faultAddress: UInt64?
    /// The fault address was worked out from the instruction and the registers.
    package private(set) var isComputed = false
    package private(set) var access: FaultAccess?
    package private(set) var kind: ReasonKind?
    package private(set) var sender: Sender?
    /// Of SIGSYS.
    package private(set) var systemCall: UInt32?

    private static let kernelCode: Int32 = 0x80
    private static let faults: Set<Int32> = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]
    /// An address below is a null pointer, or a field of what one should point to.
    private static let nullBytes: UInt64 = 65_536

    /// Nil where the core tells of no thread.
    package init?(_ notes: CoreNotes, machine: UInt16, memory: any ProcessMemory, segments: CoreSegments) {
        guard let thread = notes.threads.first else { return nil }
        signal = thread.signal
        takeInformation(notes.signalInfo)
        guard signal == SIGSEGV || signal == SIGBUS else { return }
        let values = CoreRegisters.values(thread.registers, machine: machine)
        guard let pc = (values["rip"] ?? values["pc"])?.rawValue, let sp = (values["rsp"] ?? values["sp"])?.rawValue
        else { return }
        explainAccess(thread, machine: machine, pc: pc, memory: memory)
        guard let fault = faultAddress else { return }
        if fault == pc, pc < Self.nullBytes { kind = .nullCall }
        if signal == SIGSEGV, access != .execute, StackEnd(segments: segments, pointer: sp).explains(fault) {
            kind = .stackOverflow
        }
    }

    /// siginfo_t (sigaction(2)).
    private mutating func takeInformation(_ info: [UInt8]) {
        guard let number = info.value(Int32.self, at: 0), let code = info.value(Int32.self, at: 8) else { return }
        signal = number
        self.code = code
        error = info.value(Int32.self, at: 4) ?? 0
        if Self.faults.contains(signal), code > 0, code != Self.kernelCode {
            faultAddress = info.value(UInt64.self, at: 16)
        }
        sender = Self.sender(info)
        if signal == SIGSYS, code > 0 { systemCall = info.value(UInt32.self, at: 24) }
    }

    /// Who sent the signal, by siginfo_t; nil where the kernel did.
    package static func sender(_ info: [UInt8]) -> Sender? {
        // SI_USER, SI_QUEUE, SI_TKILL.
        guard let code = info.value(Int32.self, at: 8), [0, -1, -6].contains(code),
            let pid = info.value(Int32.self, at: 16)
        else { return nil }
        return Sender(pid: pid, uid: info.value(UInt32.self, at: 20) ?? 0)
    }

    private mutating func explainAccess(
        _ thread: CoreNotes.Thread, machine: UInt16, pc: UInt64, memory: any ProcessMemory
    ) {
        if let fault = faultAddress, fault == pc { access = .execute }
        guard Int32(machine) == EM_X86_64, var code = Self.code(thread, pc: pc, memory: memory) else { return }
        if let fault = faultAddress {
            access = Self.access(vaka_access_at(&code, fault))
        } else if self.code == Self.kernelCode {
            explainProtection(code, pc: pc, memory: memory)
        }
    }

    /// The processor does not tell an address that is none. It may refuse a bad target at the branch or at the target.
    private mutating func explainProtection(_ code: vaka_code, pc: UInt64, memory: any ProcessMemory) {
        var code = code
        var bad = vaka_bad_address()
        guard vaka_is_canonical(pc) else { return setComputed(pc, .execute) }
        guard vaka_find_bad_address(&code, &bad) else { return }
        guard bad.is_in_memory else { return setComputed(bad.address, Self.access(bad.access)) }
        guard let target = memory.value(UInt64.self, at: bad.address), !vaka_is_canonical(target) else { return }
        setComputed(target, .execute)
    }

    private mutating func setComputed(_ address: UInt64, _ access: FaultAccess?) {
        (faultAddress, isComputed, self.access) = (address, true, access)
    }

    private static func code(_ thread: CoreNotes.Thread, pc: UInt64, memory: any ProcessMemory) -> vaka_code? {
        let registers = CoreRegisters.recordWords(thread.registers, machine: UInt16(EM_X86_64))
        guard registers.count == 18 else { return nil }
        let bytes = memory.bytes(pc, Int(VAKA_CODE_BYTES))
        var code = vaka_code()
        code.count = UInt32(bytes.count)
        withUnsafeMutableBytes(of: &code.bytes) { $0.copyBytes(from: bytes) }
        withUnsafeMutableBytes(of: &code.registers) { target in
            registers.withUnsafeBytes { target.copyBytes(from: $0) }
        }
        code.fs_base = CoreRegisters.fsBase(thread.registers)
        code.gs_base = CoreRegisters.gsBase(thread.registers)
        return code
    }

    private static func access(_ access: vaka_access) -> FaultAccess? {
        switch access {
        case VAKA_ACCESS_READ: .read
        case VAKA_ACCESS_WRITE: .write
        case VAKA_ACCESS_EXECUTE: .execute
        default: nil
        }
    }

    /// For a document.
    func reason(processID: Int?) -> Reason {
        var reason = SignalReason.reason(
            signal: signal, code: code, faultAddress: faultAddress, sender: sender?.pid, pid: processID)
        if isComputed { reason.faultAddress = faultAddress.map { HexAddress($0) } }
        (reason.access, reason.kind) = (access, kind)
        return reason
    }
}
