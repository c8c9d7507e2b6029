// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Bytes of memory: address, words as the processor reads them, characters; and which register points where.
struct MemoryDump {
    private static let rowBytes = 16
    /// Each byte of a word that was left out.
    private static let leftOut = UInt8(truncatingIfNeeded: MemoryRegion.leftOut)

    let region: MachineState.Region
    let state: MachineState

    var content: HTML {
        guard let bytes = Hexadecimal.bytes(region.bytes) else { return .nothing }
        let start = region.address.rawValue
        // Rows begin at whole words.
        let skew = Int(start % UInt64(Self.rowBytes))
        let rows = stride(from: -skew, to: bytes.count, by: Self.rowBytes).map { row($0, bytes, start) }
        return tag(
            "figure", [.className("dump")],
            tag("figcaption", [], .text(region.registers.sorted().joined(separator: ", "))),
            tag("ol", [.className("code"), HTML.Attribute("tabindex", "0")], children: rows))
    }

    private func row(_ offset: Int, _ bytes: [UInt8], _ start: UInt64) -> HTML {
        let address = start &+ UInt64(bitPattern: Int64(offset))
        var cells = (0..<Self.rowBytes).map { index in
            bytes.indices.contains(offset + index) ? bytes[offset + index] : nil
        }
        if state.pointersOnly {
            for word in [0..<8, 8..<16] where cells[word].allSatisfy({ $0 == nil || $0 == Self.leftOut }) {
                cells.replaceSubrange(word, with: repeatElement(nil, count: word.count))
            }
        }
        let names = state.registers.filter {
            $0.value.rawValue >= address && $0.value.rawValue - address < UInt64(Self.rowBytes)
        }.map(\.name)
        return tag(
            "li", names.isEmpty ? [] : [.className("pointed")],
            tag("span", [.className("address")], .text(HexAddress(address).description)),
            tag("code", [], .text(Self.word(cells[..<8]) + " " + Self.word(cells[8...]))),
            tag("code", [.className("characters")], .text(String(cells.map(Self.character)))),
            names.isEmpty ? .nothing : tag("span", [.className("target")], .text("← " + names.joined(separator: ", "))))
    }

    /// Little-endian; bytes that are not known are written as dots.
    private static func word(_ bytes: ArraySlice<UInt8?>) -> String {
        bytes.reversed().map { $0.map { Hexadecimal.text([$0]) } ?? ".." }.joined()
    }

    private static func character(_ byte: UInt8?) -> Character {
        guard let byte else { return " " }
        return (0x20..<0x7f).contains(byte) ? Character(UnicodeScalar(byte)) : "·"
    }
}
