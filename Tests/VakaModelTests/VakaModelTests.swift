// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel

@Suite struct VakaModelTests {
    private static let minimal =
        "{\"schema_version\":1,\"event_id\":\"00000000000000000000000000000001\",\"type\":\"crash\","
        + "\"timestamp\":\"2026-01-31T12:00:00Z\",\"platform\":\"linux\",\"level\":\"fatal\"EXTRA}"

    private func event(_ extra: String = "") throws -> Event {
        try ModelCoding.decode(Event.self, from: Data(Self.minimal.replacing("EXTRA", with: extra).utf8))
    }

    @Test func anEventNeedsLittle() throws {
        let event = try event()
        #expect(event.threads.isEmpty && event.loss.isEmpty && event.reason == nil)
        #expect(event.timestamp.description == "2026-01-31T12:00:00.000Z")
    }

    /// Fields of a later version, and parts that say less than ours do.
    @Test func unknownFieldsAreSkippedAndAbsentOnesTaken() throws {
        let event = try event(
            ",\"from_the_future\":[1],\"threads\":[{\"id\":7,\"crashed\":true,\"color\":\"red\"}],"
                + "\"breadcrumbs\":[{\"timestamp\":\"2026-01-31T11:59:59.5Z\",\"message\":\"m\"}],"
                + "\"debug_images\":[{\"type\":\"elf\",\"image_addr\":\"0x1000\"}],\"tags\":null")
        #expect(event.crashedThread?.id == 7)
        #expect(event.breadcrumbs.first?.level == .info)
        #expect(event.debugImages.first?.imageSize == 0)
        #expect(event.tags.isEmpty)
    }

    @Test func absentFactsAreWrittenAsNull() throws {
        let document = try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(event()))
        for key in ["release", "environment", "user", "session", "reason", "arch"] {
            #expect(document[key] == .null, "\(key)")
        }
        let frame = try ModelCoding.decode(
            JSONValue.self, from: ModelCoding.encode(Frame(instructionAddress: HexAddress(0x10), trust: .cfi)))
        for key in ["symbol", "function", "file", "line", "column", "module", "build_id", "relative_addr", "status"] {
            #expect(frame[key] == .null, "\(key)")
        }
        #expect(frame["instruction_addr"] == "0x10")
        #expect(frame["inlined"] == false)
    }

    @Test(arguments: ["", "0", "0x", "zz", "abc", String(repeating: "ab", count: 33), "0xab"])
    func whatIsNoBuildIDIsRefused(text: String) {
        #expect(BuildID(hex: text) == nil)
    }

    @Test func aDebugIDIsTheUUIDOfTheFirstSixteenBytes() throws {
        let id = try #require(BuildID(hex: "000102030405060708090A0B0C0D0E0F10111213"))
        #expect(id.description == "000102030405060708090a0b0c0d0e0f10111213")
        #expect(id.debugID == "00010203-0405-0607-0809-0a0b0c0d0e0f")
        #expect(try #require(BuildID(hex: "ab")).debugID == "ab000000-0000-0000-0000-000000000000")
    }

    @Test func addressesAreHexadecimal() {
        #expect(HexAddress(hex: "0xFFFFffffFFFFffff")?.rawValue == .max)
        #expect(HexAddress(hex: "1f")?.description == "0x1f")
        for text in ["", "0x", "-1", "+1", "0x1ffffffffffffffff", "12 ", "x1"] {
            #expect(HexAddress(hex: text) == nil, "\(text)")
        }
    }
}
