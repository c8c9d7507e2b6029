// SPDX-License-Identifier: Apache-2.0
package import EventStore
package import VakaModel

extension Event {
    private static let longestText = 2000
    private static let mostFrames = 200
    private static let mostTexts = 100

    /// What people may search for: functions and files of the stacks that it is about, messages, tags, breadcrumbs.
    package var searchTexts: [SearchText] {
        let frames =
            ((subjectThread ?? threads.first)?.frames ?? []).prefix(Self.mostFrames)
            + errors.flatMap(\.frames).prefix(Self.mostFrames)
        // A stack is one text: the next event's is most often the same.
        let functions = Self.joined(frames.compactMap { $0.function ?? $0.symbol })
        let files = Self.joined(frames.compactMap(\.file))
        let reasons = [reason?.message, reason?.signal].compactMap { $0 }
        let failures = errors.prefix(Self.mostTexts).map { error in
            [error.type, error.message].compactMap { $0 }.joined(separator: " ")
        }
        let tags = tags.sorted { $0.key < $1.key }.prefix(Self.mostTexts).map { "\($0.key) \($0.value)" }
        let crumbs = breadcrumbs.suffix(Self.mostTexts).map { crumb in
            [crumb.category, crumb.message].compactMap { $0 }.joined(separator: " ")
        }
        let stack = [SearchText(.function, functions), SearchText(.file, files)]
        let words = (reasons + failures).map { SearchText(.message, Self.cut($0)) }
        let labels = tags.map { SearchText(.tag, Self.cut($0)) }
        return stack + words + labels + crumbs.map { SearchText(.breadcrumb, Self.cut($0)) }
    }

    private static func joined(_ names: [String]) -> String {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.map(cut).joined(separator: "\n")
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= longestText ? text : String(text.unicodeScalars.prefix(longestText))
    }
}
