// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Documents are the bytes that Foundation's encoder writes with sorted keys and slashes as they are.
struct JSONEncodingTests {
    private func reference(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dataEncodingStrategy = .base64
        return try encoder.encode(value)
    }

    private func expectSame(_ value: some Encodable, _ location: SourceLocation = #_sourceLocation) throws {
        let (ours, theirs) = (try ModelCoding.encode(value), try reference(value))
        #expect(
            ours == theirs, "\(String(decoding: ours, as: UTF8.self)) \(String(decoding: theirs, as: UTF8.self))",
            sourceLocation: location)
    }

    private struct Everything: Encodable {
        var bool = true
        var integers: [Int] = [.min, -1, 0, 9, 10, .max]
        var small: [Int8] = [.min, .max]
        var unsigned: [UInt64] = [0, .max]
        var doubles = [
            0.0, -0.0, 1, 0.1, 1e21, 1e-7, 123_456_789.125, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ]
        var float: Float = 0.1
        var data = Data([0, 1, 2, 255])
        var missing: Int?
        @ExplicitNull var unknown: String?
        var nested = ["b": ["z", ""], "a": [], "/é": ["\u{0}\u{1f}\u{7f}\u{2028}"]]
        var empty: [String: Int] = [:]
        var optionals: [Int?] = [1, nil]
    }

    @Test func `values of every kind`() throws {
        try expectSame(Everything())
        try expectSame(["text"])
        try expectSame("text alone \" \\ / \n \r \t \u{8} \u{c} 👩‍👩‍👧 \u{e9} e\u{301}")
        try expectSame(7)
        try expectSame([String: Int]())
    }

    @Test func `an event of which every fact is known, and one of which none is`() throws {
        let full = FullEvent.make()
        try expectSame(full)
        // What is null there is not tried.
        let nulls = String(decoding: try ModelCoding.encode(full), as: UTF8.self).ranges(of: ":null").count
        #expect(nulls == Self.nullsOfFullEvent)
        try expectSame(full.withoutMemory)
        try expectSame(Event(eventID: "", type: .message, timestamp: Timestamp(milliseconds: -1), level: .info))
        try expectSame(full.session)
    }

    /// Of the second frame.
    private static let nullsOfFullEvent = 11

    @Test func `a batch and what travels in it`() throws {
        let full = FullEvent.make()
        let value = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(full))
        let item = BatchItem(kind: ItemKind(rawValue: "a \"kind\" of later"), id: "1", payload: value)
        let batch = Batch(
            sdk: SDKInfo(name: "vaka", version: "1"), installID: "i", sequence: .max,
            sentAt: Timestamp(milliseconds: 1_700_000_000_007), items: [item])
        try expectSame(batch)
        #expect(try ModelCoding.decode(Batch.self, from: ModelCoding.encode(batch)) == batch)
        let data = Data([0, 255, 62, 63])
        try expectSame(EventAttachment(eventID: "e", name: "a/b", contentType: "text/plain", size: 4, data: data))
        try expectSame(EventAttachment(eventID: "e", name: "", size: 4, offset: 2, data: nil, missing: "gone"))
        try expectSame(HangEnd(eventID: "e", outcome: .ended, duration: nil, timestamp: batch.sentAt))
        try expectSame(HangEnd(eventID: "e", outcome: .ended, duration: 0.25, timestamp: batch.sentAt))
    }

    @Test(arguments: ["items", "sdk", "sequence", "sent_at", "install_id", "schema_version"])
    func `a batch without one of its facts is none`(name: String) throws {
        let batch = Batch(
            sdk: SDKInfo(name: "vaka", version: "1"), installID: "i", sequence: 1,
            sentAt: Timestamp(milliseconds: 0), items: [])
        var members = try #require(try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(batch)).object)
        members[name] = nil
        let data = try ModelCoding.encode(JSONValue.object(members))
        #expect(throws: DecodingError.self) { try ModelCoding.decode(Batch.self, from: data) }
    }

    private enum Choice: Encodable {
        case plain
        case one(String)
        case named(b: Int, a: [Int])
    }

    /// Writes its parts by containers within containers.
    private struct Nested: Encodable {
        private enum Key: String, CodingKey { case z, y, a }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(1, forKey: .y)
            var list = members.nestedUnkeyedContainer(forKey: .z)
            try list.encode("first")
            var inner = list.nestedContainer(keyedBy: Key.self)
            var empty = list.nestedUnkeyedContainer()
            try list.encode("last")
            try inner.encode(true, forKey: .z)
            try inner.encode(2, forKey: .a)
            try empty.encodeNil()
            var object = members.nestedContainer(keyedBy: Key.self, forKey: .a)
            try object.encode([Choice.plain, .one("x")], forKey: .y)
        }
    }

    @Test func `cases with values and containers within containers`() throws {
        try expectSame([Choice.plain, .one("text"), .named(b: 1, a: [2])])
        try expectSame(Nested())
    }

    @Test func `names are sorted as Foundation sorts them`() throws {
        try expectSame([
            "b": 1, "a": 2, "B": 3, "é": 4, "e\u{301}x": 5, "": 6, "a\u{0}": 7, "ab": 8, "😀": 9, "\u{ffff}": 10,
        ])
    }

    @Test func `what is no number is refused`() {
        for number in [Double.nan, .infinity] {
            #expect(throws: EncodingError.self) { try ModelCoding.encode([number]) }
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `arbitrary documents`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let value = Self.value(depth: 0, &random)
        try expectSame(value)
        #expect(try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(value)) == value)
    }

    private static func value(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth < 5 ? 8 : 5), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(.random(in: .min ... .max, using: &random))
        case 3: .number(.random(in: -1e6...1e6, using: &random) + 0.5)
        case 4: .string(text(&random))
        case 5: .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth + 1, &random) })
        default:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                        (text(&random), value(depth: depth + 1, &random))
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let scalars: [Unicode.Scalar] = ["a", "Z", "\"", "\\", "/", "\n", "\u{1}", "é", "😀", " ", "0"]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &random) { text.append(scalars.randomElement(using: &random)!) }
        return String(text)
    }
}
