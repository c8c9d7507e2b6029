// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Makes damaged copies of a little-endian 64-bit ELF file: changed where formats are decided, in the header, the tables, the
/// debug sections, the call frame information, symbols and notes; cut, or with parts in the wrong place.
package struct ELFMutator: Sendable {
    private let original: Data
    /// Parts of the file, of which each is as likely to be changed as any other, however small.
    private var areas: [Range<Int>] = []

    package init(_ original: Data) {
        self.original = original
        let table = number(40, 8)
        let (size, count) = (number(58, 2), number(60, 2))
        areas = [0..<64, number(32, 8)..<number(32, 8) + number(54, 2) * number(56, 2), table..<table + size * count]
        let names = number(table + size * number(62, 2) + 24, 8)
        for index in 0..<count {
            let entry = table + index * size
            let start = names + number(entry, 4)
            let name = String(decoding: original[start...].prefix { $0 != 0 }, as: UTF8.self)
            let prefixes = [".debug", ".zdebug", ".gnu", ".eh_frame", ".sym", ".str", ".dyn", ".note", ".gdb_index"]
            guard number(entry + 4, 4) != 8, prefixes.contains(where: name.hasPrefix) else { continue }
            let offset = number(entry + 24, 8)
            areas.append(offset..<offset + number(entry + 32, 8))
        }
        areas = areas.filter { !$0.isEmpty && $0.upperBound <= original.count }
    }

    /// The copy of this seed.
    package func mutated(seed: UInt64) -> Data {
        var random = SeededRandom(seed: seed)
        var copy = original
        for _ in 0..<Int.random(in: 1...8, using: &random) { change(&copy, &random) }
        if Int.random(in: 0..<40, using: &random) == 0 {
            copy = copy.prefix(Int.random(in: 0...copy.count, using: &random))
        }
        return Data(copy)
    }

    private func change(_ copy: inout Data, _ random: inout SeededRandom) {
        guard let area = areas.randomElement(using: &random) else { return }
        // Headers of tables and sections decide about more than what follows.
        let span = Bool.random(using: &random) ? area : area.prefix(64)
        let place = span.randomElement(using: &random) ?? area.lowerBound
        switch Int.random(in: 0..<6, using: &random) {
        case 0: copy[place] = UInt8.random(in: 0...255, using: &random)
        case 1: copy[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: copy[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
        case 3, 4: write(telling(&random), [2, 4, 8].randomElement(using: &random) ?? 4, at: place, &copy)
        default:
            let other = areas.randomElement(using: &random) ?? area
            let count = min(area.upperBound - place, other.count, 32)
            copy.replaceSubrange(place..<place + count, with: original[other.lowerBound..<other.lowerBound + count])
        }
    }

    /// A number at which readers go wrong.
    private func telling(_ random: inout SeededRandom) -> UInt64 {
        let size = UInt64(original.count)
        let values: [UInt64] = [
            0, 1, 2, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 40, .max >> 1, .max - 15,
            .max, size, size - 1, size / 2, UInt64.random(in: 0...size, using: &random),
        ]
        return values.randomElement(using: &random) ?? 0
    }

    private func write(_ value: UInt64, _ count: Int, at place: Int, _ copy: inout Data) {
        for index in 0..<count where place + index < copy.count {
            copy[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
        }
    }

    private func number(_ offset: Int, _ count: Int) -> Int {
        guard offset >= 0, offset + count <= original.count else { return 0 }
        return (0..<count).reduce(0) { $0 | Int(original[offset + $1]) << (8 * $1) }
    }
}
