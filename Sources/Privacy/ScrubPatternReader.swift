// SPDX-License-Identifier: Apache-2.0

/// Reads the language of patterns.
struct ScrubPatternReader {
    private let bytes: [UInt8]
    private var position = 0
    private var foldsCase = false
    private var elements: [ScrubPattern.Element] = []
    private static let mostRepeats = 1 << 16

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func read() throws(ScrubPatternError) -> [ScrubPattern.Element] {
        guard bytes.count <= ScrubPattern.longest else { throw fault("is longer than \(ScrubPattern.longest) bytes") }
        foldsCase = take("(?i)")
        while position < bytes.count { try readElement() }
        let opens = elements.count { $0 == .open }
        guard opens == elements.count(where: { $0 == .close }), opens <= 1 else {
            throw fault("(…) stands once at most, and is closed")
        }
        guard elements.contains(where: Self.takesSomething) else { throw fault("fits the empty text") }
        return elements
    }

    /// Whether at least one byte belongs to what fits.
    private static func takesSomething(_ element: ScrubPattern.Element) -> Bool {
        switch element {
        case .one, .until: true
        case .many(_, let least, _, _): least > 0
        case .choice(let options, let isOptional): !isOptional && options.allSatisfy { !$0.isEmpty }
        case .notBefore, .notBehind, .open, .close: false
        }
    }

    private mutating func readElement() throws(ScrubPatternError) {
        if take("(?:") {
            let options = try choices()
            elements.append(.choice(options, isOptional: take("?")))
        } else if take("(?<!") {
            elements.append(.notBefore(try classBeforeParenthesis()))
        } else if take("(?!") {
            elements.append(.notBehind(try classBeforeParenthesis()))
        } else if take("(?until:") {
            var text: [ByteSet] = []
            while !take(")") { text.append(try single()) }
            guard !text.isEmpty else { throw fault("(?until:…) needs a text") }
            elements.append(.until(text))
        } else if take("(?") {
            throw fault("there are (?:…), (?<!…), (?!…), (?until:…), and (?i) in front")
        } else if take("(") {
            elements.append(.open)
        } else if take(")") {
            guard elements.contains(.open) else { throw fault("nothing is opened that \")\" closes") }
            elements.append(.close)
        } else {
            try repeated(try single())
        }
    }

    private mutating func repeated(_ set: ByteSet) throws(ScrubPatternError) {
        let (least, most): (Int, Int)
        if take("?") {
            (least, most) = (0, 1)
        } else if take("*") {
            (least, most) = (0, Self.mostRepeats)
        } else if take("+") {
            (least, most) = (1, Self.mostRepeats)
        } else if take("{") {
            (least, most) = try counts()
        } else {
            giveBack(to: set)
            elements.append(.one(set))
            return
        }
        elements.append(.many(set, least: least, most: most, giveBack: nil))
    }

    /// A repeated class that holds the byte that follows it ends at the last such byte.
    private mutating func giveBack(to set: ByteSet) {
        guard let index = elements.lastIndex(where: { $0 != .close }),
            case .many(let before, let least, let most, _) = elements[index]
        else { return }
        let following = (0...255).filter { set.contains(UInt8($0)) }
        guard following.count == 1, before.contains(UInt8(following[0])) else { return }
        elements[index] = .many(before, least: least, most: most, giveBack: UInt8(following[0]))
    }

    private mutating func counts() throws(ScrubPatternError) -> (Int, Int) {
        guard let least = number() else { throw fault("{m}, {m,} or {m,n} is expected") }
        var most = least
        if take(",") { most = number() ?? Self.mostRepeats }
        guard take("}"), least <= most, most <= Self.mostRepeats else {
            throw fault("{m}, {m,} or {m,n} up to \(Self.mostRepeats) is expected")
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        let start = position
        while position < bytes.count, ByteSet.digit.contains(bytes[position]) { position += 1 }
        return Int(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func choices() throws(ScrubPatternError) -> [[ByteSet]] {
        var options: [[ByteSet]] = [[]]
        while !take(")") {
            if take("|") {
                options.append([])
            } else {
                options[options.count - 1].append(try single())
            }
        }
        return options
    }

    private mutating func classBeforeParenthesis() throws(ScrubPatternError) -> ByteSet {
        let set = try single()
        guard take(")") else { throw fault("one byte or class and \")\" are expected") }
        return set
    }

    /// One byte, a class or an escape.
    private mutating func single() throws(ScrubPatternError) -> ByteSet {
        guard position < bytes.count else { throw fault("ends too early") }
        let byte = bytes[position]
        position += 1
        let set: ByteSet
        switch byte {
        case UInt8(ascii: "."): set = .line
        case UInt8(ascii: "["): set = try bracket()
        case UInt8(ascii: "\\"): set = try escape()
        case _ where "?*+{}|()^$".utf8.contains(byte):
            position -= 1
            throw fault("\"\(UnicodeScalar(byte))\" stands for itself only behind \"\\\"")
        default: set = ByteSet([byte])
        }
        return foldsCase ? set.foldingCase : set
    }

    private mutating func bracket() throws(ScrubPatternError) -> ByteSet {
        let isInverted = take("^")
        var set = ByteSet()
        var isFirst = true
        while isFirst || !take("]") {
            isFirst = false
            guard position < bytes.count else { throw fault("\"[\" is not closed") }
            var low = bytes[position]
            position += 1
            if low == UInt8(ascii: "\\") {
                let escaped = try escape()
                let members = (0...255).filter { escaped.contains(UInt8($0)) }
                guard members.count == 1 else {
                    set.formUnion(escaped)
                    continue
                }
                low = UInt8(members[0])
            }
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "-"),
                bytes[position + 1] != UInt8(ascii: "]")
            else {
                set.insert(low)
                continue
            }
            let high = bytes[position + 1]
            guard low <= high, high != UInt8(ascii: "\\") else { throw fault("a range runs upwards") }
            position += 2
            set.formUnion(ByteSet(low...high))
        }
        if foldsCase { set = set.foldingCase }
        return isInverted ? set.inverted : set
    }

    private mutating func escape() throws(ScrubPatternError) -> ByteSet {
        guard position < bytes.count else { throw fault("ends behind \"\\\"") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "d"): return .digit
        case UInt8(ascii: "w"): return .word
        case UInt8(ascii: "s"): return .space
        case UInt8(ascii: "n"): return ByteSet([0x0a])
        case UInt8(ascii: "r"): return ByteSet([0x0d])
        case UInt8(ascii: "t"): return ByteSet([0x09])
        case UInt8(ascii: "x"):
            guard position + 1 < bytes.count,
                let value = UInt8(String(decoding: bytes[position...(position + 1)], as: UTF8.self), radix: 16)
            else { throw fault("\\x needs two hexadecimal digits") }
            position += 2
            return ByteSet([value])
        case _ where ByteSet.word.contains(byte) || byte > 0x7f:
            position -= 1
            throw fault("an escape that is not known")
        default: return ByteSet([byte])
        }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private func fault(_ problem: String) -> ScrubPatternError {
        ScrubPatternError(offset: position, problem: problem)
    }
}
