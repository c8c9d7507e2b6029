// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// Reads an event of which some facts cannot be read: those are dropped, `loss` says which, the others are kept.
///
/// What makes it this event (`schema_version`, `event_id`, `type`, `timestamp`) must be right. A fact that others need, such
/// as a frame's address, takes along what holds it: the frame.
struct EventRepair {
    /// As it came, or with what was dropped gone and told.
    private(set) var payload: Data
    private(set) var event: Event
    private(set) var isRepaired = false

    private static let identity: Set<String> = ["schema_version", "event_id", "type", "timestamp"]
    /// What stands for a top-level fact that every event has.
    private static func substitute(_ name: String, _ document: JSONValue) -> JSONValue? {
        switch name {
        case "level": document["type"] == "crash" ? "fatal" : "error"
        case "platform": "linux"
        default: nil
        }
    }

    /// Faults of different kinds or places; with more it is no event.
    private static let mostRounds = 64
    private struct TooManyFaults: Error {}

    /// Single values of one place that are dropped each by itself; then all that is there goes.
    private static let mostSingles = 8

    /// Throws the first fault that cannot be mended.
    init(_ payload: Data) throws {
        do {
            event = try ModelCoding.decode(Event.self, from: payload)
            self.payload = payload
        } catch let error as DecodingError {
            // Of members of one name it holds the last.
            var document = try ModelCoding.decode(JSONValue.self, from: payload)
            guard document.object != nil else { throw error }
            let drops = try Self.mend(&document)
            isRepaired = !drops.losses.isEmpty
            document.append(drops.losses)
            self.payload = try ModelCoding.encode(document)
            event = try ModelCoding.decode(Event.self, from: self.payload)
        }
        event.noteUnreadableNetwork()
    }

    private static func mend(_ document: inout JSONValue) throws -> DroppedValues {
        var drops = DroppedValues()
        var singles: [[String]: Int] = [:]
        for _ in 0...mostRounds {
            let error: DecodingError
            do {
                _ = try ModelCoding.decode(Event.self, from: try ModelCoding.encode(document))
                return drops
            } catch let next as DecodingError {
                error = next
            }
            guard let fault = EventFault(error), !fault.isAbout(identity) else { throw error }
            if let name = fault.topLevelName, let value = substitute(name, document) {
                document.replace(name, by: value)
                drops.add(fault.pattern, place: name, why: fault.problem, insteadOf: value)
            } else {
                let pattern = fault.pattern
                singles[pattern, default: 0] += fault.isOfOneValue ? 1 : 0
                let alone = fault.isOfOneValue && singles[pattern, default: 0] <= mostSingles
                guard !pattern.isEmpty, drops.remove(fault, alone: alone, from: &document) else { throw error }
            }
        }
        throw TooManyFaults()
    }
}

extension JSONValue {
    /// Sets a member of an object.
    fileprivate mutating func replace(_ name: String, by value: JSONValue) {
        guard case .object(var members) = self else { return }
        members[name] = value
        self = .object(members)
    }

    /// Adds to an event's `loss`.
    fileprivate mutating func append(_ losses: [Loss]) {
        var list: [JSONValue] = []
        if case .array(let known)? = self["loss"] { list = known }
        replace("loss", by: .array(list + losses.map { ["what": .string($0.what), "why": .string($0.why)] }))
    }
}
