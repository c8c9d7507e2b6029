// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// One walk through a document.
struct PayloadWalk {
    struct Edit {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    /// Where in a document the walk is, as far as it matters.
    private enum Place {
        case root, frames, frame, threads, thread, user, memory, elsewhere
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let kind: PayloadScrubber.Kind
    let scrubber: TextScrubber
    let names: SecretNames
    let droppedUserFields: Set<String>
    private(set) var edits: [Edit] = []
    /// Texts in which nothing is to be taken out, and names whose values are no secrets.
    private var cleanTexts = SeenTexts()
    private var plainNames = SeenTexts()
    private var position = 0
    /// Of the last token.
    private var hasEscape = false

    init(
        bytes: UnsafeBufferPointer<UInt8>, kind: PayloadScrubber.Kind, scrubber: TextScrubber, names: SecretNames,
        droppedUserFields: Set<String>
    ) {
        self.bytes = bytes
        self.kind = kind
        self.scrubber = scrubber
        self.names = names
        self.droppedUserFields = droppedUserFields
    }

    /// False where the document is no JSON.
    mutating func run() -> Bool {
        skipSpace()
        guard value(.root, secret: nil, depth: 0) else { return false }
        skipSpace()
        return position == bytes.count
    }

    private static let deepest = 128

    /// `secret` is what takes out every text and number in it.
    private mutating func value(_ place: Place, secret: String?, depth: Int) -> Bool {
        guard position < bytes.count, depth < Self.deepest else { return false }
        switch bytes[position] {
        case UInt8(ascii: "{"): return object(place, secret, depth)
        case UInt8(ascii: "["): return array(place, secret, depth)
        case UInt8(ascii: "\""): return string(place, secret)
        default: return word(secret)
        }
    }

    private mutating func object(_ place: Place, _ secret: String?, _ depth: Int) -> Bool {
        position += 1
        skipSpace()
        if take("}") { return true }
        while true {
            skipSpace()
            guard let name = token() else { return false }
            skipSpace()
            guard take(":") else { return false }
            skipSpace()
            guard member(name, place, secret, depth) else { return false }
            skipSpace()
            if take("}") { return true }
            guard take(",") else { return false }
        }
    }

    /// The value behind a member's name.
    private mutating func member(_ name: Range<Int>, _ place: Place, _ secret: String?, _ depth: Int) -> Bool {
        func isNamed(_ word: StaticString) -> Bool {
            guard word.utf8CodeUnitCount == name.count, let base = bytes.baseAddress else { return false }
            return memcmp(word.utf8Start, base + name.lowerBound, name.count) == 0
        }
        if place == .root, kind == .attachment, isNamed("data"), isAtText {
            return attachment()
        }
        if place == .frame, isNamed("symbol") || isNamed("function"), isAtText { return token() != nil }
        let inner: Place
        switch place {
        case .root where kind == .event:
            inner =
                isNamed("threads")
                ? .threads
                : isNamed("errors")
                    ? .threads
                    : isNamed("user")
                        ? .user
                        : isNamed("memory") ? .memory : .elsewhere
        case .thread: inner = isNamed("frames") ? .frames : isNamed("stack") ? .memory : .elsewhere
        default: inner = .elsewhere
        }
        if place == .memory, secret == nil, isNamed("data"), isAtText { return memory() }
        return value(inner, secret: secret ?? self.secret(name, place), depth: depth + 1)
    }

    private mutating func secret(_ name: Range<Int>, _ place: Place) -> String? {
        if place == .user, droppedUserFields.contains(String(decoding: bytes[name], as: UTF8.self)) {
            return "user-field"
        }
        let isPlain = plainNames.isKnown(name, in: bytes) { [names, bytes] in
            !names.contains(UnsafeBufferPointer(rebasing: bytes[name]))
        }
        return isPlain ? nil : "secret"
    }

    private mutating func array(_ place: Place, _ secret: String?, _ depth: Int) -> Bool {
        let inner: Place =
            switch place {
            case .threads: .thread
            case .frames: .frame
            case .memory: .memory
            default: .elsewhere
            }
        position += 1
        skipSpace()
        if take("]") { return true }
        while true {
            skipSpace()
            guard value(inner, secret: secret, depth: depth + 1) else { return false }
            skipSpace()
            if take("]") { return true }
            guard take(",") else { return false }
        }
    }

    private mutating func string(_ place: Place, _ secret: String?) -> Bool {
        let start = position
        guard let text = token() else { return false }
        guard !text.isEmpty else { return true }
        if let secret {
            edit(start..<position, ScrubRule.mark(secret).utf8)
            return true
        }
        let raw = UnsafeBufferPointer(rebasing: bytes[text])
        if JSONText.isAddress(raw) { return true }
        if hasEscape {
            guard let decoded = JSONText.decoded(bytes[start..<position]) else { return false }
            if let scrubbed = decoded.withUnsafeBufferPointer({ scrubber.scrub($0) }) {
                edit(start..<position, scrubbed)
            }
            return true
        }
        var scrubbed: [UInt8]?
        let isClean = cleanTexts.isKnown(text, in: bytes) { [scrubber] in
            scrubbed = scrubber.scrub(raw)
            return scrubbed == nil
        }
        if !isClean, let scrubbed { edit(start..<position, scrubbed) }
        return true
    }

    private mutating func edit(_ range: Range<Int>, _ text: some Sequence<UInt8>) {
        edits.append(Edit(range: range, bytes: JSONText.encoded(text)))
    }

    /// A number, or one of the words.
    private mutating func word(_ secret: String?) -> Bool {
        let start = position
        while position < bytes.count, JSONText.isOfWord(bytes[position]) { position += 1 }
        guard position > start else { return false }
        let isNumber = bytes[start] == UInt8(ascii: "-") || ByteSet.digit.contains(bytes[start])
        if let secret, isNumber { edit(start..<position, ScrubRule.mark(secret).utf8) }
        return true
    }

    /// Base64 of captured memory stays; what is none is a text like others.
    private mutating func memory() -> Bool {
        let start = position
        guard let text = token() else { return false }
        if JSONText.isBase64(bytes[text]) { return true }
        position = start
        return string(.elsewhere, nil)
    }

    /// A file: as text where it is one; else what is found is overwritten, so that all else stays in its place.
    private mutating func attachment() -> Bool {
        let start = position
        guard let text = token() else { return false }
        guard bytes[text].allSatisfy({ JSONText.isOfBase64($0) || $0 == UInt8(ascii: "\\") }),
            let data = Data(base64Encoded: Data(JSONText.decoded(bytes[start..<position]) ?? []))
        else {
            position = start
            return string(.elsewhere, nil)
        }
        let file = [UInt8](data)
        guard let result = file.withUnsafeBufferPointer({ scrubber.scrub(file: $0) }) else { return true }
        edit(start..<position, Data(result).base64EncodedString().utf8)
        return true
    }

    private var isAtText: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "\"") }

    /// A text between quotes, without them.
    private mutating func token() -> Range<Int>? {
        guard isAtText else { return nil }
        let start = position + 1
        var end = start
        hasEscape = false
        while true {
            end = JSONText.plainEnd(bytes, from: end)
            guard end < bytes.count, bytes[end] == UInt8(ascii: "\\") else { break }
            hasEscape = true
            end += 2
        }
        guard end < bytes.count else { return nil }
        position = end + 1
        return start..<end
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
