// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Says in words why a program ended.
package enum ReasonWords {
    static let longestMessage = 200

    package static func of(_ event: Event) -> String {
        if let error = event.errors.first, event.type != .crash {
            let message = error.message.map(firstLine) ?? ""
            return message.isEmpty ? error.type : event.type == .message ? message : "\(error.type): \(message)"
        }
        if let hang = event.hang { return "\"\(firstLine(hang.watch))\" hangs" }
        if let message = event.reason?.message.map({ plain(firstLine($0)) }), !message.isEmpty { return message }
        guard let reason = event.reason else { return event.type.rawValue }
        if let signal = reason.signal, reason.senderPID != nil {
            return "\(signal) sent by \(reason.senderName ?? "another process")"
        }
        return ofSignal(reason, event)
    }

    static func firstLine(_ message: String) -> String {
        // A character may have any number of scalars, so those are counted.
        let start = Substring(message.unicodeScalars.prefix(8 * longestMessage))
        let line = start.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count > longestMessage ? line.prefix(longestMessage) + "…" : line
    }

    /// Without what the frames say better (the place that `assert` and `fatalError` put in front), and without addresses.
    private static func plain(_ message: String) -> String {
        var text = message[...]
        for start in ["Fatal error: ", "Assertion `"] {
            guard let range = text.firstRange(of: ": " + start) else { continue }
            text = text[text.index(range.lowerBound, offsetBy: 2)...]
        }
        var result = String(text)
        while let range = result.firstRange(of: " (0x"), let close = result[range.upperBound...].firstIndex(of: ")"),
            result[range.upperBound..<close].allSatisfy(\.isHexDigit)
        {
            result.removeSubrange(range.lowerBound...close)
        }
        return result
    }

    private static func ofSignal(_ reason: Reason, _ event: Event) -> String {
        switch reason.signal {
        case "SIGSEGV": segmentation(reason, event)
        case "SIGBUS": reason.code == "BUS_ADRALN" ? "Misaligned access" : "Access to memory without backing"
        case "SIGFPE": reason.code == "FPE_INTDIV" ? "Division by zero" : "Arithmetic error"
        case "SIGILL": "Illegal instruction or trap"
        case "SIGTRAP": "Trap"
        case "SIGABRT": "Aborted"
        case "SIGSYS": "Forbidden system call"
        case "SIGKILL": "Killed"
        case let signal?: "Ended by \(signal)"
        case nil: event.type.rawValue
        }
    }

    static func isOverflow(_ event: Event) -> Bool {
        guard let reason = event.reason, reason.kind != .stackOverflow else { return event.reason != nil }
        guard reason.signal == "SIGSEGV", let address = reason.faultAddress?.rawValue else { return false }
        return isNearStackPointer(address, event)
    }

    private static func segmentation(_ reason: Reason, _ event: Event) -> String {
        if isOverflow(event) { return "Stack overflow" }
        guard let address = reason.faultAddress?.rawValue else { return "Access to an invalid address" }
        if address < 4096 {
            let counter = event.crashedThread?.registers.first { $0.key == "rip" || $0.key == "pc" }?.value.rawValue
            return counter == address ? "Call through a null pointer" : "Access through a null pointer"
        }
        return reason.code == "SEGV_ACCERR" ? "Access to protected memory" : "Access to an unmapped address"
    }

    /// The guard page lies just below the stack: a fault there while the stack pointer is near is an overflow.
    private static func isNearStackPointer(_ address: UInt64, _ event: Event) -> Bool {
        guard let thread = event.crashedThread, thread.frames.count > 32,
            let pointer = (thread.registers["rsp"] ?? thread.registers["sp"])?.rawValue
        else { return false }
        let distance = address > pointer ? address - pointer : pointer - address
        return distance < 64 * 1024
    }
}
