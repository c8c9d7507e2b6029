// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

/// A reason out of a signal's siginfo alone.
package enum SignalReason {
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
            exception: SignalNames.exception(signal: signal, isSwiftTrap: false),
            faultAddress: isFault ? faultAddress.map { HexAddress($0) } : nil,
            senderPID: wasSent ? sender.map(Int.init).flatMap { $0 == pid ? nil : $0 } : nil)
    }
}
