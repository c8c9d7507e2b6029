// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel

/// Finds normal names and rules. What it found it remembers, for the same functions come again and again.
enum FrameClassifier {
    /// All that the answer depends on.
    struct Subject: Hashable {
        var function: String?
        var symbol: String?
        var module: String?
        var path: String?

        var size: Int { [function, symbol, module, path].reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
    }

    struct Answer {
        /// Nil where the frame has no function's name.
        var name: String?
        /// Nil where no rule matches.
        var rule: FrameRule?
        /// The image is a system library by its name or folder.
        var imageIsSystem: Bool
    }

    private static let mostRemembered = 8192
    /// In bytes; longer names are looked at each time.
    private static let longestRemembered = 4096
    private static let remembered = Mutex<[Subject: Answer]>([:])

    static func answer(_ subject: Subject) -> Answer {
        if let known = remembered.withLock({ $0[subject] }) { return known }
        let answer = find(subject)
        guard subject.size <= longestRemembered else { return answer }
        remembered.withLock { known in
            if known.count >= mostRemembered { known = [:] }
            known[subject] = answer
        }
        return answer
    }

    private static func find(_ subject: Subject) -> Answer {
        let named = subject.function ?? subject.symbol
        let normal = named.map { NameNormalizer.normalise(function: $0, symbol: subject.symbol) }
        let facts = FrameRule.Subject(
            names: [normal, named].compactMap { $0 },
            language: SymbolLanguage.of(symbol: subject.symbol, function: named ?? ""),
            swiftModule: subject.symbol.flatMap(SwiftSymbolModule.of), module: subject.module, path: subject.path)
        return Answer(
            name: normal, rule: FrameRules.ordered.first { $0.matches(facts) },
            imageIsSystem: FrameRules.ordered.contains { $0.isOfImage && $0.matches(facts) })
    }
}
