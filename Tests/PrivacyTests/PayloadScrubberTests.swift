// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import Privacy

struct PayloadScrubberTests {
    private func scrub(_ document: String, _ kind: PayloadScrubber.Kind = .event) throws -> String {
        String(decoding: try PayloadScrubber(.usual).scrub(Data(document.utf8), kind), as: UTF8.self)
    }

    @Test(arguments: [
        ("{\"a\":\"password=x\"}", "{\"a\":\"password=[scrubbed: secret]\"}"),
        ("{ \"a\" : [ \"ok\" , 7, true, null ] }", "{ \"a\" : [ \"ok\" , 7, true, null ] }"),
        ("{\"Pass-Word\":7,\"b\":1}", "{\"Pass-Word\":\"[scrubbed: secret]\",\"b\":1}"),
        (
            "{\"secrets\":[{\"a\":\"x\",\"b\":[-1.5e3,false,null,\"\"]}]}",
            "{\"secrets\":[{\"a\":\"[scrubbed: secret]\",\"b\":[\"[scrubbed: secret]\",false,null,\"\"]}]}"
        ),
        ("{\"token_count\":7,\"csrf_token\":\"a\"}", "{\"token_count\":7,\"csrf_token\":\"[scrubbed: secret]\"}"),
        ("{\"a\":\"\\u0070assword=\\ud83d\\ude00x\"}", "{\"a\":\"password=[scrubbed: secret]\"}"),
        (
            "{\"a\":\"say \\\"\\\\ password=\\\"a b\\\"\\n\"}",
            "{\"a\":\"say \\\"\\\\ password=\\\"[scrubbed: secret]\\\"\\n\"}"
        ),
        (
            "{\"threads\":[{\"frames\":[{\"function\":\"login(password: String)\",\"file\":\"/home/a/x.c\"}]}]}",
            "{\"threads\":[{\"frames\":[{\"function\":\"login(password: String)\",\"file\":\"~/x.c\"}]}]}"
        ),
        (
            "{\"tags\":{\"function\":\"login(password: x)\"}}",
            "{\"tags\":{\"function\":\"login(password: [scrubbed: secret])\"}}"
        ),
        (
            "{\"threads\":[{\"stack\":{\"address\":\"0x10\",\"data\":\"cGFzc3dvcmQ9eA==\"}}]}",
            "{\"threads\":[{\"stack\":{\"address\":\"0x10\",\"data\":\"cGFzc3dvcmQ9eA==\"}}]}"
        ),
        (
            "{\"threads\":[{\"stack\":{\"data\":\"password=x\"}}]}",
            "{\"threads\":[{\"stack\":{\"data\":\"password=[scrubbed: secret]\"}}]}"
        ),
        ("\"password=x\"", "\"password=[scrubbed: secret]\""), ("7", "7"),
        // Once taken out, nothing of it is taken for another.
        ("\"/home/a/home/b/x\"", "\"~/home/b/x\""), ("\"~/home/b/x\"", "\"~/home/b/x\""),
        ("\"/home//home/a/x\"", "\"~/a/x\""), ("[]", "[]"), ("{}", "{}"),
    ])
    func `every text of a document is looked at`(document: String, expected: String) throws {
        #expect(try scrub(document) == expected)
    }

    @Test func `what comes again is taken out again, and what stays stays`() throws {
        let texts = ["cfi", "password=x", "abcdefgh", "abcdefghi", "token=hunter2", "", "x", "12345678\"", "/home/a/b"]
        let scrubber = TextScrubber(.usual)
        let names = (0..<600).map { texts[($0 * 7 + $0 / 9) % texts.count] }
        let document = "[" + names.map { "\"\($0.replacing("\"", with: "\\\""))\"" }.joined(separator: ",") + "]"
        let expected = names.map { "\"\(scrubber.scrub($0).replacing("\"", with: "\\\""))\"" }.joined(separator: ",")
        #expect(try scrub(document) == "[" + expected + "]")
    }

    /// Whatever byte is not of base64 makes memory a text like others.
    @Test func `only base64 is left as captured memory`() throws {
        let scrubber = TextScrubber(.usual)
        for byte in UInt8(0x20)...0x7e where byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
            let character = String(UnicodeScalar(byte))
            let isBase64 = character.allSatisfy { $0.isLetter || $0.isNumber || "+/".contains($0) }
            for text in ["AKIAIOSFODNN7EXAMPLE \(character)AA", "\(character)AA/AKIAIOSFODNN7EXAMPLE"] {
                let whole = text.replacing(" ", with: isBase64 ? "/" : " ")
                let data = "{\"memory\":[{\"data\":\"\(whole)\"}]}"
                let expected = isBase64 ? whole : scrubber.scrub(whole)
                #expect(try scrub(data) == "{\"memory\":[{\"data\":\"\(expected)\"}]}", "\(character)")
            }
        }
        #expect(scrubber.scrub("!AA/AKIAIOSFODNN7EXAMPLE") != "!AA/AKIAIOSFODNN7EXAMPLE", "it is a secret")
    }

    @Test func `fields of users go where that is asked for`() throws {
        let scrubber = PayloadScrubber(.usual, droppedUserFields: ["email"])
        let document = "{\"user\":{\"id\":\"1\",\"email\":\"a\"},\"tags\":{\"email\":\"b\"}}"
        let scrubbed = String(decoding: try scrubber.scrub(Data(document.utf8), .event), as: UTF8.self)
        #expect(scrubbed == "{\"user\":{\"id\":\"1\",\"email\":\"[scrubbed: user-field]\"},\"tags\":{\"email\":\"b\"}}")
    }

    @Test(arguments: [
        "", "{", "{\"a\":}", "{\"a\":\"x}", "[1,]x", "{\"a\":\"\\u12\"}", String(repeating: "[", count: 1000),
    ])
    func `what is no document is refused whole`(document: String) {
        #expect(throws: PayloadScrubber.Malformed.self) { try scrub(document) }
    }

    /// A document that has been scrubbed is as it was, but for the texts.
    @Test func `slices of data are read from their own start`() throws {
        let whole = Data("xx{\"a\":\"password=x\"}".utf8)
        let scrubbed = try PayloadScrubber(.usual).scrub(whole[2...], .other)
        #expect(String(decoding: scrubbed, as: UTF8.self) == "{\"a\":\"password=[scrubbed: secret]\"}")
    }
}
