// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What is particular to frames of Swift code.
enum SwiftFrames {
    /// The compiler puts traps into an artificial function of this name, inlined where the trap belongs.
    private static let failurePrefix = "Swift runtime failure: "

    /// The frame holds a trap; its reason was an artificial function of its own.
    static let failureNote = "swift_runtime_failure: "
    /// The function is the part of an async one that runs after an await.
    static let resumeNote = "await_resume"

    /// The levels a person knows: the artificial function becomes a note on the code it was inlined into, and parts of
    /// async functions say so.
    static func cleaned(_ levels: [LookupFrame]) -> [LookupFrame] {
        var result = levels
        while result.count > 1, let reason = reason(result[0]) {
            result.removeFirst()
            result[0].notes.append(failureNote + reason)
        }
        for index in result.indices where isResumeFunction(result[index].symbol) {
            result[index].notes.append(resumeNote)
        }
        return result
    }

    /// Completes the reason from the crashed thread's innermost frame.
    static func complete(_ reason: Reason, from frames: [Frame]) -> Reason {
        guard let first = frames.first, first.trust == .context else { return reason }
        var reason = reason
        let text = first.notes.first { $0.hasPrefix(failureNote) }.map { String($0.dropFirst(failureNote.count)) }
        if let text, reason.message == nil {
            reason.message = text
            reason.messageSource = .dwarf
        }
        // A trap instruction in Swift code is a failed check, whatever signal the processor makes of it.
        let physical = frames.first { !$0.inlined }
        let isTrap = text != nil || physical?.symbol.map(Demangler.isSwift) == true
        if isTrap, reason.signal == "SIGILL" || reason.signal == "SIGTRAP" { reason.exception = "EXC_BREAKPOINT" }
        return reason
    }

    private static func reason(_ level: LookupFrame) -> String? {
        guard level.inlined, let name = level.symbol ?? level.function, name.hasPrefix(failurePrefix) else {
            return nil
        }
        return String(name.dropFirst(failurePrefix.count))
    }

    /// `…TY1_` (await) and `…TQ1_` (suspend) name the parts of an async function.
    static func isResumeFunction(_ symbol: String?) -> Bool {
        guard let symbol, Demangler.isSwift(symbol), symbol.hasSuffix("_") else { return false }
        let rest = symbol.dropLast().reversed().drop { $0.isASCII && $0.isNumber }.prefix(2)
        return rest.elementsEqual("YT") || rest.elementsEqual("QT")
    }
}
