// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@Suite("Network records")
struct NetworkRecordTests {
    /// The names of the wire, which programs of other versions rely on.
    private static let wireKeys = [
        "eventType", "schemaVersion", "timestamp", "url", "method", "requestId", "connectionId", "direction",
        "protocolName", "metadata", "sequenceNumber", "requestHeaders", "requestBodySize", "statusCode",
        "responseHeaders", "responseBodySize", "durationMs", "error", "host", "path", "requestBody", "responseBody",
        "contentType",
    ]

    private func read(_ text: String) throws -> NetworkRequestEvent {
        try ModelCoding.decode(NetworkRequestEvent.self, from: Data(text.utf8))
    }

    private func minimal(_ more: String = "") -> String {
        #"{"timestamp":"2026-01-31T12:00:00.000Z","url":"http://h/p","method":"GET""# + more + "}"
    }

    @Test("A record is written under 23 names, and a full one has each of them")
    func namesOfTheWire() throws {
        let written = try ModelCoding.encode(FullNetworkRecord.make())
        let object = try #require(try ModelCoding.decode(JSONValue.self, from: written).object)
        #expect(NetworkRequestEvent.wireKeys == Self.wireKeys)
        #expect(Set(object.keys) == Set(Self.wireKeys))
        #expect(object["eventType"] == "network_request")
        #expect(object["schemaVersion"] == .integer(Int64(NetworkRequestEvent.currentSchemaVersion)))
    }

    @Test("What is written is read alike, and is what Foundation writes")
    func roundTrip() throws {
        for record in [FullNetworkRecord.make(), try read(minimal())] {
            let written = try ModelCoding.encode(record)
            #expect(try ModelCoding.decode(NetworkRequestEvent.self, from: written) == record)
            #expect(try JSONDecoder().decode(NetworkRequestEvent.self, from: written) == record)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            #expect(try encoder.encode(record) == written)
        }
    }

    @Test("An absent version is read as 0, which is then written")
    func absentVersionIsLegacy() throws {
        let record = try read(minimal())
        #expect(record.schemaVersion == 0)
        let text = String(decoding: try ModelCoding.encode(record), as: UTF8.self)
        #expect(text.contains(#""schemaVersion":0"#))
        #expect(try read(text) == record)
    }

    @Test("The versions 0 and 1 are read, however the number is written", arguments: ["0", "1", "1.0", "10e-1"])
    func acceptedVersions(version: String) throws {
        #expect(try read(minimal(#","schemaVersion":\#(version)"#)).schemaVersion == (version == "0" ? 0 : 1))
    }

    @Test(
        "Later, negative, fractional, null and non-numeric versions are refused before anything else is looked at",
        arguments: [
            ("2", "2"), ("-1", "-1"), ("1.5", "1.5"), ("0.5", "0.5"), ("null", "null"), ("\"1\"", "1"),
            ("true", "true"), ("[1]", "[1]"), ("{\"a\":1}", "{\"a\":1}"), ("1e400", "1e400"),
            ("99999999999999999999", "99999999999999999999"),
        ])
    func refusedVersions(version: String, told: String) throws {
        // The other members could not be read either.
        for text in [minimal(#","schemaVersion":\#(version)"#), #"{"schemaVersion":\#(version),"url":[]}"#] {
            let error = #expect(throws: UnsupportedNetworkSchema.self) { try read(text) }
            #expect(error?.receivedVersion == told)
        }
    }

    @Test("A refused version is repeated in at most 32 characters, with an ellipsis where it was longer")
    func refusedVersionIsBounded() throws {
        func told(_ version: String) -> String? {
            #expect(throws: UnsupportedNetworkSchema.self) {
                try read(minimal(#","schemaVersion":"\#(version)""#))
            }?.receivedVersion
        }
        let exact = String(repeating: "9", count: 32)
        #expect(told(exact) == exact)
        #expect(told(exact + "9") == String(repeating: "9", count: 31) + "…")
        // One character of a hundred scalars is no way around it.
        #expect(told("e" + String(repeating: "\u{301}", count: 100))?.unicodeScalars.count == 32)
    }

    @Test("Of two versions the last counts, like of other members")
    func repeatedVersion() throws {
        #expect(try read(minimal(#","schemaVersion":9,"schemaVersion":1"#)).schemaVersion == 1)
        #expect(throws: UnsupportedNetworkSchema.self) { try read(minimal(#","schemaVersion":1,"schemaVersion":9"#)) }
    }

    @Test("The old name of the protocol is read where the new one is absent")
    func legacyProtocol() throws {
        #expect(try read(minimal(#","protocol":"h2""#)).protocolName == "h2")
        #expect(try read(minimal(#","protocol":"h2","protocolName":"h3""#)).protocolName == "h3")
        #expect(try read(minimal(#","protocolName":null,"protocol":"h2""#)).protocolName == "h2")
    }

    @Test("A null is an absent fact, an unknown member is passed over, another event type is refused")
    func tolerance() throws {
        let nulls = Self.wireKeys.dropFirst(5).map { #","\#($0)":null"# }.joined()
        #expect(try read(minimal(nulls)) == read(minimal()))
        #expect(try read(minimal(#","later":{"a":[1]}"#)) == read(minimal()))
        #expect(throws: DecodingError.self) { try read(minimal(#","eventType":"log""#)) }
        #expect(throws: DecodingError.self) { try read(#"{"url":"u","method":"GET"}"#) }
    }

    @Test("A duration comes from the record, or from finite metadata")
    func duration() throws {
        #expect(try read(minimal(#","durationMs":3,"metadata":{"duration_ms":9}"#)).knownDuration == 3)
        #expect(try read(minimal(#","metadata":{"duration_ms":9.5}"#)).knownDuration == 9.5)
        #expect(try read(minimal(#","metadata":{"duration_ms":"7"}"#)).knownDuration == 7)
        for none in ["\"nan\"", "\"inf\"", "\"1e999\"", "null", "[]", "\"soon\""] {
            #expect(try read(minimal(#","metadata":{"duration_ms":\#(none)}"#)).knownDuration == nil)
        }
    }

    @Test("An event keeps its exchanges, and is not lost for one that cannot be read")
    func history() throws {
        var event = FullEvent.make()
        event.network = NetworkHistory([FullNetworkRecord.make()])
        let text = String(decoding: try ModelCoding.encode(event), as: UTF8.self)
        let damaged = text.replacing(
            #""network":["#, with: #""network":[{"schemaVersion":7},{"url":1},5,"#)
        let read = try ModelCoding.decode(Event.self, from: Data(damaged.utf8))
        #expect(read.network?.exchanges == [FullNetworkRecord.make()])
        #expect(read.network?.unreadable == 3)
    }

    @Test("A capability's unknown state is read as UNKNOWN; other unknown words stay; the fault members may be missing")
    func capabilities() throws {
        func read(_ text: String) throws -> CapabilityDescriptor {
            try ModelCoding.decode(CapabilityDescriptor.self, from: Data(text.utf8))
        }
        let short = try read(#"{"id":"a","state":"HALF","reason":"MOON"}"#)
        #expect(short.state == .unknown && short.reason?.rawValue == "MOON")
        #expect(short.faultEnforcement == .none && short.faultActions.isEmpty)
        let full = CapabilityDescriptor(
            id: "network.transport.urlsession", state: .supported, faultEnforcement: .enforced,
            faultActions: [.latency, .error])
        let written = try ModelCoding.encode(full)
        #expect(try ModelCoding.decode(CapabilityDescriptor.self, from: written) == full)
        let object = try #require(try ModelCoding.decode(JSONValue.self, from: written).object)
        #expect(Set(object.keys).union(["reason"]) == Set(CapabilityDescriptor.wireKeys))
    }

    @Test("Whatever bytes are changed: what is read of a record is written and read alike", arguments: 0..<200)
    func damage(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let sound = [UInt8](try ModelCoding.encode(FullNetworkRecord.make()))
        var bytes = sound
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = bytes.indices.randomElement(using: &random)!
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[index] = .random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            default: bytes.insert(sound.randomElement(using: &random)!, at: index)
            }
        }
        let record: NetworkRequestEvent
        do {
            record = try ModelCoding.decode(NetworkRequestEvent.self, from: Data(bytes))
        } catch {
            #expect(error is DecodingError || error is UnsupportedNetworkSchema)
            return
        }
        #expect((0...NetworkRequestEvent.currentSchemaVersion).contains(record.schemaVersion))
        let again = try ModelCoding.decode(NetworkRequestEvent.self, from: ModelCoding.encode(record))
        #expect(again == record)
    }
}
