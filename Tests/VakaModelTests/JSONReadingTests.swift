// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Documents are read as Foundation's decoder reads them, faults included, but for members that are there twice.
struct JSONReadingTests {
    /// What became of reading: the value, or the kind and the place of the fault.
    private enum Outcome: Equatable {
        case event(Event)
        case fault(String, path: [String])

        init(_ read: () throws -> Event) {
            do {
                self = .event(try read())
            } catch let error as DecodingError {
                let (kind, context): (String, DecodingError.Context) =
                    switch error {
                    case .keyNotFound(let key, let context): ("missing \(key.stringValue)", context)
                    case .typeMismatch(_, let context): ("mismatch", context)
                    case .valueNotFound(_, let context): ("null", context)
                    case .dataCorrupted(let context): ("corrupted", context)
                    @unknown default: ("unknown", .init(codingPath: [], debugDescription: ""))
                    }
                self = .fault(kind, path: context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue })
            } catch {
                self = .fault("\(error)", path: [])
            }
        }

        var event: Event? { if case .event(let event) = self { event } else { nil } }
    }

    private func ours(_ data: Data) -> Outcome { Outcome { try ModelCoding.decode(Event.self, from: data) } }
    private func theirs(_ data: Data) -> Outcome { Outcome { try JSONDecoder().decode(Event.self, from: data) } }

    private func text(_ members: String) -> Data {
        let head = #""schema_version":1,"event_id":"x","type":"crash","timestamp":"2026-01-01T00:00:00Z","#
        return Data("{\(head)\"platform\":\"linux\",\"level\":\"fatal\"\(members)}".utf8)
    }

    @Test func `an event of which every fact is known`() throws {
        let event = FullEvent.make()
        let data = try ModelCoding.encode(event)
        #expect(ours(data) == .event(event))
        #expect(theirs(data) == .event(event))
        let pretty = try ModelCoding.encode(event, pretty: true)
        #expect(ours(pretty) == .event(event))
    }

    @Test(arguments: [
        #","release":null,"tags":null,"threads":null,"fingerprint":null,"user":null,"session":null"#,
        #","release":"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t","unknown":{"a":[1,{}],"b":"\u0000"}"#,
        #","\u0072elease":"named by escapes""#, #","user":{"a":1e3,"b":1.0,"c":-0,"d":-0.0,"e":1E-2,"f":0.1}"#,
        #","user":{"a":9223372036854775807,"b":9223372036854775808,"c":-9223372036854775808,"d":1e17,"e":1e308}"#,
        #","user":{"a":9007199254740993.0,"b":12345678901234567890123,"c":5e-324,"d":1e-400}"#,
        #","user":{"a":tru}"#,
        #","sample_rate":"1""#, #","sample_rate":1e400"#, #","release":{}"#, #","threads":{"a":1}"#,
        #","threads":[{"id":1.5}]"#, #","threads":[{"id":99999999999999999999}]"#, #","threads":[{"id":2e0}]"#,
        #","threads":[{"crashed":true}]"#, #","threads":[{"id":1,"frames":[{"trust":"cfi"}]}]"#,
        #","threads":[{"id":1,"registers":{"rip":"0X1F","rsp":"ffffffffffffffff","r8":"0x00000000000000001"}}]"#,
        #","threads":[{"id":1,"registers":{"rip":"0x"}}]"#,
        #","threads":[{"id":1,"registers":{"rip":"10000000000000000"}}]"#,
        #","debug_images":[{"type":"elf","image_addr":"0x1","image_size":-1}]"#, #","debug_images":[null]"#,
        #","debug_images":[{"type":"elf","image_addr":"0x1","build_id":"abc"}]"#,
        #","memory":[{"address":"0x1","data":"AAE\/"}]"#, #","memory":[{"address":"0x1","data":"AA"}]"#,
        #","breadcrumbs":[{"timestamp":"2026-02-31T00:00:00Z"}]"#,
        #","breadcrumbs":[{"timestamp":"2026-01-01T00:00:00.5+02:00"}]"#, #","breadcrumbs":[{"timestamp":null}]"#,
        #","loss":[{"what":null,"why":""}]"#, #" , "tags" : { "a" : "b" } "#, #","tags":{"a" "b"}"#, "}", "",
    ])
    func `what is unusual`(_ members: String) {
        expectSame(text(members))
    }

    private func expectSame(_ data: Data, _ location: SourceLocation = #_sourceLocation) {
        let (mine, other) = (ours(data), theirs(data))
        // Of a number that does not fit Foundation does not say where it is.
        if case .fault("corrupted", let path) = mine, !path.isEmpty, other == .fault("corrupted", path: []) { return }
        #expect(mine == other, sourceLocation: location)
    }

    @Test(arguments: [
        #","tags":{"a":1,}"#, #","user":[1,]"#, #",}"#, #","user":{"a":1e400}"#, #","user":{"a":"\ud800"}"#,
        #","user":{"a":"\ud83dx"}"#,
    ])
    func `what no value holds`(_ members: String) {
        #expect(ours(text(members)).event == nil && theirs(text(members)).event == nil)
    }

    @Test func `texts that are no documents`() throws {
        for text in ["", " ", "[]", "{", "{}", "null", "7", "\"a\"", "{\"a\"", "{\"schema_version\":1", "\u{feff}"] {
            let (mine, other) = (ours(Data(text.utf8)), theirs(Data(text.utf8)))
            #expect(mine.event == nil && other.event == nil, "\(text)")
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(ours(self.text(",\"user\":{\"a\":" + deep)).event == nil)
        #expect(ours(self.text(",\"unknown\":" + deep)).event == nil)
        let bearable = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        expectSame(self.text(",\"user\":{\"a\":\(bearable)}"))
    }

    @Test func `the last of a name counts`() throws {
        let members = #","release":"a","release":"b","tags":{"x":"1","x":"2"},"release":"c""#
        let event = try #require(ours(text(members)).event)
        #expect(event.release == "c" && event.tags == ["x": "2"])
    }

    /// Without its network history, which bears faults (see `NetworkRecordTests`).
    private static var strict: Event {
        var event = FullEvent.make()
        event.network = nil
        return event
    }

    /// One value of a document replaced or left out: both find the same fault at the same place.
    @Test(arguments: 0..<100 as Range<UInt64>) func `events with one fault`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var document = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(Self.strict))
        Self.spoil(&document, &random)
        let data = try ModelCoding.encode(document)
        expectSame(data)
    }

    private static func spoil(_ value: inout JSONValue, _ random: inout SeededRandom) {
        if case .object(var members) = value, let name = members.keys.sorted().randomElement(using: &random) {
            if Int.random(in: 0..<8, using: &random) == 0 { members[name] = nil }
            members[name].map { _ in spoil(&members[name]!, &random) }
            value = .object(members)
        } else if case .array(var elements) = value, let index = elements.indices.randomElement(using: &random),
            Int.random(in: 0..<8, using: &random) > 0
        {
            spoil(&elements[index], &random)
            value = .array(elements)
        } else {
            value = [.null, true, 7, -1, 0.5, 1e300, "text", "0x1f", "", [], [:], [1], ["a": "b"]]
                .randomElement(using: &random)!
        }
    }

    /// Bytes changed at random: whatever is read is what Foundation reads, and what is not is no JSON or no event.
    @Test(arguments: 0..<100 as Range<UInt64>) func `events with damage`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bytes = [UInt8](try ModelCoding.encode(Self.strict))
        var changes: [String] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let index = bytes.indices.randomElement(using: &random)!
            let isAny = Bool.random(using: &random)
            bytes[index] = isAny ? .random(in: 0...255, using: &random) : bytes.randomElement(using: &random)!
            changes.append(String(decoding: bytes[max(0, index - 20)..<min(bytes.count, index + 20)], as: UTF8.self))
        }
        let data = Data(bytes)
        guard let event = ours(data).event else {
            // Of what it passes over, Foundation does not look at every word.
            let isSound = (try? JSONDecoder().decode(JSONValue.self, from: data)) != nil
            #expect(theirs(data).event == nil || !isSound, "\(changes)")
            return
        }
        #expect(theirs(data) == .event(event), "\(changes)")
    }
}
