// SPDX-License-Identifier: Apache-2.0
import JSONScan

/// Rules made ready, and the names whose values are secrets. Immutable: any number of threads may use one.
package final class ScrubPlan: Sendable {
    struct Entry {
        var rule: ScrubRule
        var pattern: ScrubPattern
        var start: PatternStart
    }

    let entries: [Entry]
    /// For a look at a whole document.
    let scanRules: ScanRules
    /// A bit for each pair of bytes that some pattern may begin with.
    private let pairs: [UInt64]
    /// Addresses of network exchanges lose user, password, query and fragment.
    let shortensAddresses: Bool
    /// By the first byte: which entries may begin so.
    let byFirst: [[Int]]

    /// Throws where a pattern cannot be read.
    package init(_ rules: [ScrubRule], names: SecretNames = SecretNames()) throws(ScrubPatternError) {
        shortensAddresses = rules.contains { $0.name == ScrubRule.addressParts }
        var entries: [Entry] = []
        for rule in rules {
            for text in rule.patterns {
                let pattern = try ScrubPattern(text)
                entries.append(Entry(rule: rule, pattern: pattern, start: PatternStart(pattern)))
            }
        }
        self.entries = entries
        scanRules = ScanRules(texts: entries.flatMap { PatternStart.all(of: $0.pattern) }, names: names.parts)
        var pairs = [UInt64](repeating: 0, count: 1024)
        var byFirst = [[Int]](repeating: [], count: 256)
        for first in 0..<256 {
            for (index, entry) in entries.enumerated() where entry.start.first.contains(UInt8(first)) {
                byFirst[first].append(index)
                for second in 0..<256 where entry.start.second.contains(UInt8(second)) {
                    let pair = first << 8 | second
                    pairs[pair >> 6] |= 1 << UInt64(pair & 63)
                }
            }
        }
        self.pairs = pairs
        self.byFirst = byFirst
    }

    /// The rules that hold where nothing else is said.
    package static let usual: ScrubPlan = {
        // They are ours, and a test reads each.
        do { return try ScrubPlan(ScrubRule.builtIn) } catch { fatalError("a built-in scrub rule: \(error)") }
    }()

    /// The first place from `start` on where some pattern may begin.
    func candidate(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        pairs.withUnsafeBufferPointer { pairs in
            var position = start
            let last = text.count - 1
            while position < last {
                let pair = Int(text[position]) << 8 | Int(text[position + 1])
                if pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0 { return position }
                position += 1
            }
            guard position == last else { return nil }
            let pair = Int(text[position]) << 8
            return pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0 ? position : nil
        }
    }
}

/// What a pattern may begin with.
struct PatternStart {
    var first = ByteSet()
    var second = ByteSet()
    var third = ByteSet()
    /// What must not stand before; empty where anything may.
    var notBefore = ByteSet()

    init(_ pattern: ScrubPattern) {
        var (afterOne, needsMore) = (ByteSet(), true)
        (first, needsMore) = Self.next(pattern.elements[...], skip: 0)
        (afterOne, _) = Self.next(pattern.elements[...], skip: 1)
        second = needsMore ? afterOne : .all
        third = needsMore ? Self.next(pattern.elements[...], skip: 2).0 : .all
        if case .notBefore(let set)? = pattern.elements.first { notBefore = set }
    }

    /// Each way in which a pattern may begin. A choice that stands in front is told apart.
    static func all(of pattern: ScrubPattern) -> [ScanRules.Start] {
        let notBehind: ByteSet? = if case .notBefore(let set)? = pattern.elements.first { set } else { nil }
        return opened(pattern.elements).map { elements in
            let places = (0..<ScanRules.startBytes).map { next(elements[...], skip: $0).0.bytes }
            return ScanRules.Start(places: places, notBehind: notBehind?.bytes ?? [])
        }
    }

    /// With each option in the place of the first choice, as long as only single bytes stand before it.
    private static func opened(_ elements: [ScrubPattern.Element]) -> [[ScrubPattern.Element]] {
        let choice = elements.firstIndex {
            switch $0 {
            case .one, .notBefore, .notBehind, .open, .close: false
            case .many, .choice, .until: true
            }
        }
        guard let choice, case .choice(let options, let isOptional) = elements[choice] else { return [elements] }
        let all = isOptional ? options + [[]] : options
        return all.map { elements[..<choice] + $0.map { .one($0) } + elements[(choice + 1)...] }
    }

    /// The bytes that may stand `skip` bytes behind the start; everything where it cannot be told.
    private static func next(_ elements: ArraySlice<ScrubPattern.Element>, skip: Int) -> (ByteSet, Bool) {
        guard let element = elements.first else { return (.all, false) }
        let rest = elements.dropFirst()
        switch element {
        case .notBefore, .notBehind, .open, .close:
            return next(rest, skip: skip)
        case .one(let set):
            return skip == 0 ? (set, true) : next(rest, skip: skip - 1)
        case .many(let set, let least, let most, _):
            if least > skip { return (set, true) }
            // The class goes on, or what follows begins behind some of it.
            var union = most > skip ? set : ByteSet()
            for used in least...skip where used <= most { union.formUnion(next(rest, skip: skip - used).0) }
            return (union, true)
        case .choice(let options, let isOptional):
            var union = isOptional ? next(rest, skip: skip).0 : ByteSet()
            for option in options {
                union.formUnion(option.count > skip ? option[skip] : next(rest, skip: skip - option.count).0)
            }
            return (union, true)
        case .until:
            return (.all, false)
        }
    }
}
