// SPDX-License-Identifier: Apache-2.0
import Glibc
import VakaModel

extension RunEnd {
    /// The document's reason: the cause as its first line, so that the same ends fall into one issue, and what is known
    /// of this one below.
    var reason: Reason {
        Reason(
            signal: signal.flatMap(SignalNames.signal), number: signal.map { Int($0) },
            exception: signal.flatMap { SignalNames.exception(signal: $0, code: nil, isSwiftTrap: false) },
            message: message, kind: kind)
    }

    /// A crash's own words are better than these; a signal says enough.
    private var message: String? {
        if cause == .crashed { return nil }
        return ([title] + explanation + remarks).joined(separator: "\n")
    }

    private var kind: ReasonKind? {
        switch cause {
        case .killed: .killed
        case .outOfMemory: .outOfMemory
        case .machineDown: .machineDown
        case .exited, .asked, .crashed, .unknown: nil
        }
    }

    private var title: String {
        switch cause {
        case .exited: "Ended by itself"
        case .asked: "Asked to end"
        case .killed: signal == nil ? "Killed" : "Killed by SIGKILL"
        case .outOfMemory: "Killed for memory"
        case .machineDown: "The machine went down"
        case .crashed: "Crashed without a record"
        case .unknown: "Ended without a word"
        }
    }

    private var explanation: [String] {
        switch cause {
        case .killed where certainty != .certain:
            [
                "It ended without a word, and not by a signal that asks for the end: most likely by SIGKILL. "
                    + "A handler that restores the default action and sends the signal again looks the same."
            ]
        case .outOfMemory:
            [
                "The kernel's count of processes of its control group that were killed for memory rose"
                    + (killsBefore.flatMap { before in killsNow.map { " from \(before) to \($0)" } } ?? "") + "."
            ]
        case .machineDown: ["This machine was started anew since the run was last seen alive."]
        default: []
        }
    }

    /// The document's `contexts.process.end`.
    func document(lastSeen: Timestamp?) -> JSONValue {
        var document: [String: JSONValue] = [
            "cause": .string(cause.rawValue), "certainty": .string(certainty.rawValue),
            "last_seen": lastSeen.map { .string($0.description) } ?? .null,
            "oom_kills_before": .figure(killsBefore), "oom_kills_after": .figure(killsNow),
        ]
        if let exitStatus { document["exit_status"] = .integer(Int64(exitStatus)) }
        return .object(document)
    }
}
