// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import Privacy

/// Documents and patterns with bytes changed, cut and doubled.
struct MutatedPayloadTests {
    private static let document = """
        {"threads":[{"name":"w","stack":{"address":"0x10","data":"cGFzcw=="},"frames":[{"symbol":"a","file":"/home/a/x.c"}]}],
        "user":{"email":"a@b.example","id":7},"tags":{"password":"x","a":"Bearer 0123456789abcdef0"},"data":"cGFzc3dvcmQ9eA==",
        "breadcrumbs":[{"message":"p\\u0061ssword=\\ud83d\\ude00 \\"q\\" 4111 1111 1111 1111"}],"errors":[],"n":[-1.5e3,true,null]}
        """
    private static let rounds = getenv("VAKA_SOAK") == nil ? 2000 : 200_000

    private func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
            default: bytes = Array(bytes[..<place])
            }
        }
        return bytes
    }

    @Test func `what is a document stays one, and what is none is refused`() throws {
        let scrubber = PayloadScrubber(.usual, droppedUserFields: ["email"])
        var random = SeededRandom(seed: 22)
        var (taken, refused) = (0, 0)
        for _ in 0..<Self.rounds {
            let data = Data(mutated(Array(Self.document.utf8), &random))
            let isDocument = (try? ModelCoding.decode(JSONValue.self, from: data)) != nil
            for kind in [PayloadScrubber.Kind.event, .attachment, .other] {
                guard let scrubbed = try? scrubber.scrub(data, kind) else {
                    #expect(!isDocument, "\(data.base64EncodedString())")
                    refused += 1
                    continue
                }
                guard isDocument else { continue }
                taken += 1
                #expect(
                    (try? ModelCoding.decode(JSONValue.self, from: scrubbed)) != nil, "\(data.base64EncodedString())")
                // What was taken out is not taken out again. What is overwritten of a file that is no text may leave one,
                // which is then read as such.
                guard kind != .attachment else { continue }
                #expect(try scrubber.scrub(scrubbed, kind) == scrubbed, "\(data.base64EncodedString())")
            }
        }
        #expect(taken > 100 && refused > 100)
    }

    @Test func `patterns are read or refused, and end`() throws {
        let patterns = ScrubRule.builtIn.flatMap(\.patterns)
        let text = Self.document + String(repeating: "eyJ-----BEGIN://a:@password=", count: 40)
        var random = SeededRandom(seed: 7)
        var (read, refused) = (0, 0)
        for round in 0..<Self.rounds / 4 {
            let bytes = mutated(Array(patterns[round % patterns.count].utf8), &random)
            guard let plan = try? ScrubPlan([ScrubRule("own", [String(decoding: bytes, as: UTF8.self)])]) else {
                refused += 1
                continue
            }
            read += 1
            _ = TextScrubber(plan).scrub(text)
        }
        #expect(read > 20 && refused > 20)
    }
}
