// SPDX-License-Identifier: Apache-2.0
import CVakaScan

/// How secrets may begin in texts, and which names stand for secrets. Immutable: any number of threads may use one.
package final class ScanRules: @unchecked Sendable {  // written by the initializer only
    /// So many bytes of a start are looked at.
    package static let startBytes = Int(VAKA_SCAN_START)

    /// How something may begin: the bytes that may stand at each place, as many as `startBytes`.
    package struct Start: Hashable, Sendable {
        package var places: [[UInt8]]
        /// What does not stand right before it.
        package var notBehind: [UInt8]

        package init(places: [[UInt8]], notBehind: [UInt8]) {
            self.places = places
            self.notBehind = notBehind
        }
    }

    /// A name that stands for a secret, or a part of one: in lowercase, without separators.
    package struct Name: Hashable, Sendable {
        package var bytes: [UInt8]
        /// Nothing else is in the name.
        package var isWhole: Bool
        /// Nothing follows it.
        package var isEnd: Bool

        package init(bytes: [UInt8], isWhole: Bool = false, isEnd: Bool = false) {
            self.bytes = bytes
            self.isWhole = isWhole
            self.isEnd = isEnd
        }
    }

    private static let separators = Array("_-. ".utf8)

    let rules: OpaquePointer

    /// Names without bytes stand for nothing.
    package init(texts: [Start], names: [Name]) {
        guard let rules = vaka_scan_rules_create() else { fatalError("no memory for the rules") }
        self.rules = rules
        let names = names.filter { !$0.bytes.isEmpty }
        let all =
            Set(texts).map { (start: $0, isName: false) } + Set(names.map(Self.start)).map { (start: $0, isName: true) }
        // Neighbours share a heap, by which a text's places are sorted out: they are to be alike.
        let sorted = all.sorted { one, other in
            guard one.isName == other.isName else { return other.isName }
            guard one.start.notBehind.isEmpty == other.start.notBehind.isEmpty else {
                return other.start.notBehind.isEmpty
            }
            return one.start.places.lexicographicallyPrecedes(other.start.places) { $0.lexicographicallyPrecedes($1) }
        }
        for (number, entry) in sorted.enumerated() {
            add(entry.start, isName: entry.isName, at: Self.index(number, of: sorted.count))
        }
        let shares = Dictionary(grouping: sorted.indices) { Self.index($0, of: sorted.count) }
        for (index, numbers) in shares {
            // Only what none of them stands behind.
            let all = numbers.map { Set(sorted[$0].start.notBehind) }
            for byte in all.dropFirst().reduce(all[0], { $0.intersection($1) }) {
                vaka_scan_rules_forbid(rules, index, byte)
            }
        }
        for name in names where !vaka_scan_rules_add(rules, name.bytes, name.bytes.count, name.isWhole, name.isEnd) {
            fatalError("no memory for the rules")
        }
        vaka_scan_rules_finish(rules)
    }

    deinit { vaka_scan_rules_free(rules) }

    private func add(_ start: Start, isName: Bool, at index: UInt32) {
        vaka_scan_rules_begin(rules, index, isName)
        for (place, bytes) in start.places.enumerated() {
            for byte in bytes { vaka_scan_rules_allow(rules, index, UInt32(place), byte) }
        }
    }

    private static func index(_ number: Int, of count: Int) -> UInt32 {
        UInt32(number * Int(VAKA_SCAN_STARTS) / count)
    }

    /// Separators may stand between a name's letters, which may be large.
    private static func start(of name: Name) -> Start {
        let places = (0..<startBytes).map { place -> [UInt8] in
            guard place < name.bytes.count else { return Array(0...255) }
            let letters = place == 0 ? name.bytes[...0] : name.bytes[1...place]
            let both = letters.flatMap { letter -> [UInt8] in
                (0x61...0x7a).contains(letter) ? [letter, letter & 0xdf] : [letter]
            }
            return Set(both + (place == 0 ? [] : separators)).sorted()
        }
        return Start(places: places, notBehind: [])
    }
}
