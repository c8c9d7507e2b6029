// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Decides which events are the same problem. Pure: equal events give equal results, on every machine.
package enum Grouping {
    /// Raised whenever keys of unchanged events would change.
    package static let version = 3
    /// Kinds of keys that the version before made as this one does: they find issues that it knew.
    package static let kindsAsBefore: Set<GroupingKey.Kind> = [.client, .message, .addresses]
    /// In scalars, of a title or a culprit: a normal name and the words around it.
    static let longestTitle = 8192

    /// Works on an event before or after symbolication.
    package static func group(_ event: Event) -> GroupingResult {
        let stack = frames(of: event)
        let choice = StackChoice(
            stack, wasSentFromOutside: event.reason?.senderPID != nil, overflowed: ReasonWords.isOverflow(event))
        let computed = computedKeys(event, stack, choice)
        let decider = choice.kept.first
        return GroupingResult(
            keys: clientKey(event, computed).map { [$0] } ?? computed,
            title: cut(title(event, decider)), culprit: decider.flatMap(culprit).map(cut), explain: choice.explain,
            version: version,
            basis: basis(event, stack, choice))
    }

    /// Lists show it; a sender's words may have any length.
    private static func cut(_ text: String) -> String {
        let kept = text.unicodeScalars.prefix(longestTitle)
        return kept.endIndex == text.endIndex ? text : String(kept) + "…"
    }

    private static func basis(
        _ event: Event, _ stack: [ClassifiedFrame], _ choice: StackChoice
    ) -> GroupingResult.Basis {
        if event.reason?.senderPID != nil { return .names }
        if choice.kept.isEmpty || choice.systemOnly {
            let wanting = stack.contains { $0.name == nil && $0.frame.buildID != nil }
            return wanting ? .remnants : .names
        }
        return choice.kept.contains { $0.name == nil } ? .addresses : .names
    }

    /// For an event that nothing could look into: by its type and signal alone, until it can be grouped.
    package static func unexamined(_ event: Event) -> GroupingResult {
        let signal = event.reason?.signal.map { String($0.prefix(32)) } ?? ""
        let key = GroupingKey(kind: .message, material: ["unexamined", event.type.rawValue, signal])
        return GroupingResult(
            keys: [key], title: "\(event.type.rawValue) \(signal), not examined", culprit: nil, explain: [],
            version: version, basis: .remnants)
    }

    /// The frames that tell of the event: those of the thread it is about, else the first error's, else the first thread's.
    /// None of a hang whose thread is not known: then the watch's name tells.
    private static func frames(of event: Event) -> [ClassifiedFrame] {
        let handled = event.errors.first { !$0.frames.isEmpty }?.frames
        let first = event.type == .hang ? nil : event.threads.first?.frames
        let frames = event.crashedThread?.frames ?? handled ?? event.subjectThread?.frames ?? first ?? []
        let images = Dictionary(
            event.debugImages.compactMap { image in image.buildID.map { ($0, image) } },
            uniquingKeysWith: { first, _ in first })
        return frames.prefix(4096).map { frame in
            let image = frame.buildID.flatMap { images[$0] }
            let containing = image ?? event.debugImages.first { $0.contains(frame.instructionAddress.rawValue) }
            return ClassifiedFrame(frame, image: containing)
        }
    }

    private static func computedKeys(
        _ event: Event, _ stack: [ClassifiedFrame], _ choice: StackChoice
    ) -> [GroupingKey] {
        guard !choice.kept.isEmpty else { return [messageKey(event)] }
        let type = [event.type.rawValue] + (event.errors.first.map { [$0.type] } ?? [])
        let functions =
            choice.systemOnly
            ? circumstances(event) + choice.kept.map { "\($0.frame.module ?? "?")!\($0.material ?? "?")" }
            : choice.kept.compactMap(\.material)
        let primary = GroupingKey(kind: .functions, material: type + functions)
        return [primary] + (AddressKey.of(event, stack, choice).map { [$0] } ?? [])
    }

    /// What else tells system-only stacks apart: the signal, the program, the runtime's word.
    private static func circumstances(_ event: Event) -> [String] {
        [
            event.reason?.signal ?? "", event.contexts["process"]?["name"]?.string ?? "",
            MessageTemplate.of(event.reason?.message ?? ""),
        ]
    }

    private static func messageKey(_ event: Event) -> GroupingKey {
        let error = event.errors.first.map { [$0.type, MessageTemplate.of($0.message ?? "")] }
        let words = error ?? event.hang.map { [$0.watch] }
        let reason = [
            event.reason?.signal ?? "", event.reason?.code ?? "", event.contexts["process"]?["name"]?.string ?? "",
            MessageTemplate.of(event.reason?.message ?? ""),
        ]
        let sender = event.reason?.senderPID.map { _ in ["sent", event.reason?.senderName ?? ""] } ?? []
        return GroupingKey(kind: .message, material: [event.type.rawValue] + (words ?? reason + sender))
    }

    /// The client's fingerprint wins; `{{ default }}` in it stands for the computed key.
    private static func clientKey(_ event: Event, _ computed: [GroupingKey]) -> GroupingKey? {
        guard let parts = event.fingerprint?.prefix(32), !parts.isEmpty else { return nil }
        let material = parts.map { part in
            part.filter { $0 != " " } == "{{default}}"
                ? computed.first?.value ?? "" : String(part.unicodeScalars.prefix(1024))
        }
        return material == computed.first.map { [$0.value] } ? nil : GroupingKey(kind: .client, material: material)
    }

    private static func title(_ event: Event, _ decider: ClassifiedFrame?) -> String {
        let words = ReasonWords.of(event)
        guard event.type != .message, let decider else { return words }
        let place = decider.name ?? decider.frame.module ?? decider.frame.instructionAddress.description
        return "\(words) in \(place)"
    }

    private static func culprit(_ decider: ClassifiedFrame) -> String? {
        guard let place = decider.material else { return nil }
        guard let file = decider.frame.file, let line = decider.frame.line else {
            return decider.frame.module.map { "\(place) (\($0))" } ?? place
        }
        return "\(place) (\(file.split(separator: "/").last.map(String.init) ?? file):\(line))"
    }
}
