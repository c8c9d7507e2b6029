// SPDX-License-Identifier: Apache-2.0
import Symbolication
import VakaModel

/// Answers one address after the other, on standard output.
struct LookupPrinter {
    private let file: DebugFile
    private let inlines: Bool
    private let relative: Bool
    private let renderer: LookupRenderer
    private let json: Bool
    private var writer: LookupTextWriter
    /// The first few words that were no addresses.
    private(set) var refused: [String] = []
    private(set) var refusedCount = 0

    private static let bufferSize = 1 << 16

    init(file: DebugFile, inlines: Bool, relative: Bool, demangle: Bool, json: Bool) {
        (self.file, self.inlines, self.relative, self.json) = (file, inlines, relative, json)
        renderer = LookupRenderer(demangle: demangle)
        writer = LookupTextWriter(file: file, inlines: inlines, demangle: demangle)
    }

    /// A word that is no address gets an answer too, so that answers and questions stay in step.
    mutating func answer(_ line: ArraySlice<UInt8>) throws {
        let word = line.drop(while: Self.isSpace).prefix { !Self.isSpace($0) }
        let given = HexWord.value(word)
        if given == nil { refuse(word) }
        let linked = given.flatMap(linkedAddress)
        guard json else {
            writer.write(linked)
            if writer.bytes.count > Self.bufferSize { write() }
            return
        }
        let frames = linked.map { file.lookup(address: $0, inlines: inlines) } ?? []
        StandardOutput.write(try renderer.json(address: given ?? 0, frames) + "\n")
    }

    /// Hands what was answered to standard output.
    mutating func write() {
        StandardOutput.write(writer.bytes)
        writer.removeAll()
    }

    private mutating func refuse(_ word: ArraySlice<UInt8>) {
        refusedCount += 1
        if refused.isEmpty { refused.append(String(decoding: word.prefix(100), as: UTF8.self)) }
    }

    private func linkedAddress(_ address: UInt64) -> UInt64? {
        guard relative else { return address }
        let (sum, overflow) = address.addingReportingOverflow(file.identity.firstLoadAddress)
        return overflow ? nil : sum
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}
