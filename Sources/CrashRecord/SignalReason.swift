// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

/// A reason out of a signal's siginfo alone.
package enum SignalReason {
    /// The number (si_code) behind a reason's code; nil where it has none or one that is not known.
    package static func code(of reason: Reason) -> Int32? {
        guard let name = reason.code, let signal = reason.number.flatMap({ Int32(exactly: $0) }) else { return nil }
        return SignalNames.number(ofCode: name, signal: signal)
    }

    private static let faults: Set<Int32> = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    /// `code` nil where it is not known. The fault address counts for faults of the processor, the sender for signals
    /// that another process sent.
    package static func reason(
        signal: Int32, code: Int32?, faultAddress: UInt64?, sender: Int32?, pid: Int?
    ) -> Reason {
        let isFault = faults.contains(signal) && (code ?? 0) > 0 && code != 0x80
        let wasSent = code.map { $0 <= 0 } ?? false
        return Reason(
            signal: SignalNames.signal(signal), number: Int(signal),
            code: code.flatMap { SignalNames.code($0, signal: signal) },
            exception: SignalNames.exception(signal: signal, code: code, isSwiftTrap: false),
            faultAddress: isFault ? faultAddress.map { HexAddress($0) } : nil,
            senderPID: wasSent ? sender.map(Int.init).flatMap { $0 == pid ? nil : $0 } : nil)
    }
}
