// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import JSONScan

/// What is taken out of one document, and what stands there instead.
package struct PayloadEdits {
    private struct Edit {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    private let scrubber: TextScrubber
    private let kind: PayloadScrubber.Kind
    private let shortensAddresses: Bool
    private var edits: [Edit] = []
    /// Texts in which nothing is to be taken out.
    private lazy var clean = SeenTexts()

    init(scrubber: TextScrubber, kind: PayloadScrubber.Kind, shortensAddresses: Bool) {
        self.scrubber = scrubber
        self.kind = kind
        self.shortensAddresses = shortensAddresses
    }

    package var isEmpty: Bool { edits.isEmpty }

    /// A range of the bytes, with its edits made.
    package func applied(to bytes: [UInt8], _ range: Range<Int>) -> Data {
        var result = Data(capacity: range.count + edits.count * 32)
        var position = range.lowerBound
        for edit in edits {
            result.append(contentsOf: bytes[position..<edit.range.lowerBound])
            result.append(contentsOf: edit.bytes)
            position = edit.range.upperBound
        }
        result.append(contentsOf: bytes[position..<range.upperBound])
        return result
    }

    /// Throws for an escape that cannot be read.
    mutating func look(
        at suspect: JSONScan.Suspect, in bytes: [UInt8]
    ) throws(PayloadScrubber.Malformed) {
        let isRead = bytes.withUnsafeBufferPointer { look(at: suspect, in: $0) }
        guard isRead else { throw PayloadScrubber.Malformed() }
    }

    private mutating func look(at suspect: JSONScan.Suspect, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch (suspect.place, kind) {
        case (.secret, _):
            edit(suspect.range, ScrubRule.mark("secret").utf8)
        case (.dropped, _):
            edit(suspect.range, ScrubRule.mark("user-field").utf8)
        case (.function, .event):
            return true
        case (.memory, .event) where JSONScan.isBase64(UnsafeBufferPointer(rebasing: bytes[suspect.inner])):
            return true
        case (.file, .attachment):
            guard let isEdited = file(suspect, bytes) else { return text(suspect, bytes) }
            return isEdited
        case (.address, .network), (.address, .event):
            return address(suspect, bytes)
        case (.text, _), (.function, _), (.memory, _), (.file, _), (.address, _):
            return text(suspect, bytes)
        }
        return true
    }

    /// False where an escape cannot be read.
    private mutating func text(_ suspect: JSONScan.Suspect, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeBufferPointer(rebasing: bytes[suspect.inner])
        if JSONText.isAddress(raw) { return true }
        if suspect.hasEscapes {
            guard let decoded = JSONText.decoded(bytes[suspect.range]) else { return false }
            if let scrubbed = decoded.withUnsafeBufferPointer({ scrubber.scrub($0) }) { edit(suspect.range, scrubbed) }
            return true
        }
        var scrubbed: [UInt8]?
        let isClean = clean.isKnown(suspect.inner, in: bytes) { [scrubber] in
            scrubbed = scrubber.scrub(raw)
            return scrubbed == nil
        }
        if !isClean, let scrubbed { edit(suspect.range, scrubbed) }
        return true
    }

    /// False where an escape cannot be read.
    private mutating func address(_ suspect: JSONScan.Suspect, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let whole = JSONText.decoded(bytes[suspect.range]) else { return false }
        let short = shortensAddresses ? AddressParts.shortened(whole) : nil
        let scrubbed = (short ?? whole).withUnsafeBufferPointer { scrubber.scrub($0) }
        if let result = scrubbed ?? short { edit(suspect.range, result) }
        return true
    }

    /// A file: as text where it is one; else what is found is overwritten, so that all else stays in its place. Nil where it
    /// is none.
    private mutating func file(_ suspect: JSONScan.Suspect, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard bytes[suspect.inner].allSatisfy({ JSONText.isOfBase64($0) || $0 == UInt8(ascii: "\\") }),
            let data = Data(base64Encoded: Data(JSONText.decoded(bytes[suspect.range]) ?? []))
        else { return nil }
        let file = [UInt8](data)
        if let result = file.withUnsafeBufferPointer({ scrubber.scrub(file: $0) }) {
            edit(suspect.range, Data(result).base64EncodedString().utf8)
        }
        return true
    }

    private mutating func edit(_ range: Range<Int>, _ text: some Sequence<UInt8>) {
        edits.append(Edit(range: range, bytes: JSONText.encoded(text)))
    }
}

extension JSONScan.Suspect {
    /// Without its quotes.
    fileprivate var inner: Range<Int> { range.lowerBound + 1..<range.upperBound - 1 }
}
