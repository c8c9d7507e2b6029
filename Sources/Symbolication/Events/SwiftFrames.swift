// SPDX-License-Identifier: Apache-2.0
import Unwinding
import VakaModel

/// What is particular to frames of Swift code, and to traps.
enum SwiftFrames {
    /// The function is the part of an async one that runs after an await.
    static let resumeNote = "await_resume"
    /// The code is a copy of the function for some of its callers.
    static let specialisedNote = "specialised"
    /// The code serves several functions that came out the same.
    static let mergedNote = "merged"

    /// What the demangler says before the name of the function that the code was made from.
    private static let prefixes = [("specialized ", specialisedNote), ("merged ", mergedNote)]

    /// The levels a person knows: the artificial function of a trap becomes a note on the code it was inlined into;
    /// copies have the name of their function, and parts of async functions and copies say what they are.
    static func cleaned(_ levels: [LookupFrame]) -> [LookupFrame] {
        var result = levels
        while result.count > 1, let note = TrapReason.note(result[0]) {
            result.removeFirst()
            result[0].notes.append(note)
        }
        for index in result.indices { name(&result[index]) }
        return result
    }

    private static func name(_ level: inout LookupFrame) {
        guard let symbol = level.symbol, Demangler.isSwift(symbol) || AsyncName.isAsync(symbol) else { return }
        if AsyncName.resumes(symbol) { level.notes.append(resumeNote) }
        if symbol.hasPrefix(AsyncName.topLevelCode) { level.function = AsyncName.topLevelCode }
        while let function = level.function, let (prefix, note) = prefixes.first(where: { function.hasPrefix($0.0) }) {
            level.function = String(function.dropFirst(prefix.count))
            if !level.notes.contains(note) { level.notes.append(note) }
        }
    }

    /// Completes the reason from the crashed thread's innermost frame.
    static func complete(_ reason: Reason, from frames: [Frame]) -> Reason {
        guard let first = frames.first, first.trust == .context else { return reason }
        var reason = reason
        let text = TrapReason.text(first.notes)
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

    /// The awaiting callers behind the frame of the async function that they wait for: what else lies there is the
    /// executor that runs the task. Where no such function is known, they stay at the end.
    static func joined(_ frames: [Frame]) -> [Frame] {
        guard frames.contains(where: { $0.trust == .async }) else { return frames }
        var (physical, awaiting): ([Frame], [Frame]) = ([], [])
        for frame in frames {
            if frame.trust == .async { awaiting.append(frame) } else { physical.append(frame) }
        }
        let place = physical.firstIndex { !$0.inlined && $0.symbol.map(AsyncName.isAsync) == true }
        guard let place else { return physical + awaiting }
        return physical[...place] + awaiting + physical[(place + 1)...]
    }
}
