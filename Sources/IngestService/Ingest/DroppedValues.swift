// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What was dropped of an event so that the rest could be read.
struct DroppedValues {
    private struct Place {
        var text: String
        var first: String
        var why: String
        var count: Int
    }

    private var places: [[String]: Place] = [:]
    /// Which elements of a list are gone, by the list's own place: what follows them has moved up.
    private var gone: [String: [Int]] = [:]

    /// One for each kind of place, most telling first: the outermost.
    var losses: [Loss] {
        places.sorted { ($0.key.count, $0.value.first) < ($1.key.count, $1.value.first) }.map { _, place in
            place.count == 1
                ? Loss(what: place.first, why: "could not be read: \(place.why)")
                : Loss(
                    what: place.text,
                    why: "\(place.count) could not be read, the first at \(place.first): \(place.why)")
        }
    }

    mutating func add(_ pattern: [String], place: String, why: String, insteadOf value: JSONValue? = nil) {
        let reason = String(why.prefix(200)) + (value?.string.map { "; taken as \"\($0)\"" } ?? "")
        if places[pattern] == nil {
            let text = pattern.reduce("") { $0 + ($1 == "*" ? "[*]" : $0.isEmpty ? $1 : "." + $1) }
            places[pattern] = Place(text: text, first: place, why: reason, count: 0)
        }
        places[pattern]?.count += 1
    }

    /// Takes the value of the fault away, and, unless `alone`, all that must fail alike. False when nothing was found.
    mutating func remove(_ fault: EventFault, alone: Bool, from document: inout JSONValue) -> Bool {
        let kind = fault.isOfOneValue ? nil : document.value(at: fault.path[...])?.kind
        let condition: (JSONValue) -> Bool = { value in
            if let missing = fault.missing { return value.object.map { $0[missing] ?? .null == .null } ?? false }
            return kind == nil || value.kind == kind
        }
        return remove(
            alone ? fault.path.map(Step.exactly) : fault.pattern.map { $0 == "*" ? .each : .exactly(.name($0)) },
            fault, condition, from: &document, place: [])
    }

    private enum Step {
        case exactly(EventFault.Part)
        case each
    }

    private mutating func remove(
        _ steps: [Step], _ fault: EventFault, _ condition: (JSONValue) -> Bool, from value: inout JSONValue,
        place: [EventFault.Part]
    ) -> Bool {
        guard let step = steps.first else { return false }
        var found = false
        switch value {
        case .object(var members):
            for name in members.keys.sorted() where matches(step, .name(name)) {
                guard var member = members[name] else { continue }
                let inner = place + [.name(name)]
                if steps.count == 1 {
                    guard condition(member) else { continue }
                    members[name] = nil
                    add(fault.pattern, place: EventFault.text(inner), why: fault.problem)
                    found = true
                } else if remove(Array(steps.dropFirst()), fault, condition, from: &member, place: inner) {
                    members[name] = member
                    found = true
                }
            }
            value = .object(members)
        case .array(let elements):
            let list = EventFault.text(place)
            let originals = originalIndices(list, count: elements.count)
            var kept: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                var element = element
                let inner = place + [.index(originals[index])]
                let isMeant = matches(step, .index(index))
                if isMeant, steps.count == 1, condition(element) {
                    add(fault.pattern, place: EventFault.text(inner), why: fault.problem)
                    gone[list, default: []].append(originals[index])
                    found = true
                    continue
                }
                if isMeant, steps.count > 1,
                    remove(Array(steps.dropFirst()), fault, condition, from: &element, place: inner)
                {
                    found = true
                }
                kept.append(element)
            }
            value = .array(kept)
        default:
            return false
        }
        return found
    }

    private func matches(_ step: Step, _ part: EventFault.Part) -> Bool {
        switch step {
        case .each: true
        case .exactly(let wanted): wanted == part
        }
    }

    /// Where the elements that are left stood at first.
    private func originalIndices(_ list: String, count: Int) -> [Int] {
        let missing = Set(gone[list] ?? [])
        return Array((0..<(count + missing.count)).lazy.filter { !missing.contains($0) }.prefix(count))
    }
}

extension JSONValue {
    fileprivate enum Kind {
        case null, bool, integer, number, string, array, object
    }

    fileprivate var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .integer: .integer
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    fileprivate func value(at path: ArraySlice<EventFault.Part>) -> JSONValue? {
        guard let part = path.first else { return self }
        switch (self, part) {
        case (.object(let members), .name(let name)): return members[name]?.value(at: path.dropFirst())
        case (.array(let elements), .index(let index)):
            return elements.indices.contains(index) ? elements[index].value(at: path.dropFirst()) : nil
        default: return nil
        }
    }
}
