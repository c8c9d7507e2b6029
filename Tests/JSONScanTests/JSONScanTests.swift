// SPDX-License-Identifier: Apache-2.0
import JSONScan
import TestSupport
import Testing
import VakaModel

struct JSONScanTests {
    private let tree = ScanTree(
        .object([
            "a": .value, "o": .object(["a": .value, "é": .value]),
            "l": .array(["a": .value, "n": .object(["a": .value])], most: 2),
        ]))

    private func document(_ text: String) throws -> JSONFinding {
        try JSONScan(Array(text.utf8), deepest: 64, tree: tree).document
    }

    private func text(_ finding: JSONFinding?) -> String? {
        finding.map { String(decoding: $0.slice, as: UTF8.self) }
    }

    @Test func `values are found where the tree says`() throws {
        let found = try document(
            #" { "x":{"a":0}, "a" : [1, {"a":2}] ,"o":{"b":{"a":3},"a":"four","\u00e9":5}, "l":[{"n":{"a":6}}, 7, {"a":8}]} "#
        )
        #expect(text(found["a"]) == #"[1, {"a":2}]"#)
        #expect(found["a"]?["a"] == nil, "it is not looked into")
        #expect(text(found["o"]?["a"]) == "\"four\"")
        #expect(text(found["o"]?.member("é")) == "5", "names are compared by what they say")
        #expect(found["x"] == nil && found["o"]?["b"] == nil)
        let elements = try #require(found["l"]?.elements)
        #expect(found["l"]?.elementCount == 3)
        #expect(elements.count == 2, "no more than were asked for")
        #expect(text(elements[0]["n"]?["a"]) == "6")
        #expect(!elements[1].isContainer && text(elements[1]) == "7")
    }

    @Test func `of members of one name the last counts`() throws {
        #expect(try text(document(#"{"a":1,"o":{"a":2},"o":{"a":3},"a":4}"#)["a"]) == "4")
        #expect(try text(document(#"{"a":1,"o":{"a":2},"o":{"a":3},"a":4}"#)["o"]?["a"]) == "3")
    }

    @Test func `what has another form is found, and not looked into`() throws {
        let found = try document(#"{"o":[{"a":1}],"l":{"a":2}}"#)
        #expect(found["o"]?.isContainer == false && found["o"]?["a"] == nil)
        #expect(found["l"]?.isContainer == false && found["l"]?.elements.isEmpty == true)
        #expect(try document("[1]").isContainer == false)
    }

    @Test(arguments: [
        ("", 0), ("{", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), ("[1 2]", 3), ("[1,]", 3), (#""x"#, 2),
        (#""\x""#, 2), (#""\u12g4""#, 5), ("01", 1), ("-", 1), ("1.", 2), ("1e+", 3), ("tru", 3), ("nul1", 3),
        ("{} x", 3),
        ("\"\u{1}\"", 1), ("[[[[[", 5),
    ])
    func `what is wrong is told with its place`(text: String, offset: Int) throws {
        let fault = #expect(throws: JSONScan.Fault.self) { try JSONScan(Array(text.utf8), deepest: 64) }
        #expect(fault?.offset == offset, "\(fault?.problem ?? "")")
    }

    @Test func `nothing is nested deeper than it may be`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[{\"a\":", count: depth) + "1" + String(repeating: "}]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONScan(nested(4), deepest: 9) }
        let fault = #expect(throws: JSONScan.Fault.self) { try JSONScan(nested(4), deepest: 8) }
        #expect(fault == JSONScan.Fault(offset: 24, problem: "nested deeper than 8 levels"))
    }

    @Test func `base64 is told from all else`() {
        func isBase64(_ text: String) -> Bool { Array(text.utf8).withUnsafeBufferPointer(JSONScan.isBase64) }
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for place in [0, 31, 32, 63, 64, 66] {
            for byte in UInt8.min...UInt8.max {
                var bytes = Array(repeating: UInt8(ascii: "A"), count: 68)
                bytes[place] = byte
                #expect(
                    bytes.withUnsafeBufferPointer(JSONScan.isBase64) == alphabet.contains(byte), "\(byte) at \(place)")
            }
        }
        #expect(isBase64("") && isBase64("AA==") && isBase64("AAA="))
        #expect(!isBase64("A") && !isBase64("A===") && !isBase64("=AAA") && !isBase64("AA=A"))
    }
}

/// The walk beside the lexer that reads values, and with and without the processor's vectors.
struct ScannedTextTests {
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", " ", "\n", "\"", "\"a\"", "\"l\":", "\"o\":", "\\", "\\u0041", "\\ud83d", "true",
        "null",
        "-1.5e3", "0", "0x10", "password", "token=hunter2hunter2", "\u{1}", "é", "eyJhbGciOiJIUzI1NiJ9", "/home/ann/",
        "4111 1111 1111 1111", "AKIAIOSFODNN7EXAMPLE", String(repeating: "x", count: 61),
    ]
    private static let documents = [
        #"{"l":[{"a":1,"n":{"a":"x\n"}},{}],"o":{"a":[true,false,null]},"a":-0.5E+2,"s":"password=x"}"#,
        #" [ { "threads" : [ ] , "name" : "\u00e9\ud83d\ude00" } , "" , [ [ ] ] , 1e9 ] "#,
    ]
    private static let rules = ScanRules(
        texts: [
            ScanRules.Start(places: Self.places(of: "token="), notBehind: Array("ab".utf8)),
            ScanRules.Start(places: Self.places(of: "/home/"), notBehind: []),
        ],
        names: [
            ScanRules.Name(bytes: Array("password".utf8)), ScanRules.Name(bytes: [UInt8(ascii: "l")], isWhole: true),
        ])

    private static func places(of text: String) -> [[UInt8]] {
        (0..<ScanRules.startBytes).map { place in
            place < text.utf8.count ? [Array(text.utf8)[place]] : Array(0...255)
        }
    }

    private func changed(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(Self.documents.randomElement(using: &random)!.utf8)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let piece = Self.pieces.randomElement(using: &random)!.utf8
            let length = min(bytes.count - place, Int.random(in: 0...3, using: &random))
            bytes.replaceSubrange(place..<place + length, with: piece)
        }
        return bytes
    }

    /// The place of the fault; nil where there is none.
    private func lexed(_ bytes: [UInt8]) -> JSONFault? {
        var lexer = JSONLexer(bytes, deepest: 64)
        do throws(JSONFault) {
            lexer.skipSpace()
            try lexer.skipValue(depth: 0)
            lexer.skipSpace()
            return lexer.isAtEnd ? nil : lexer.fault("something follows the document")
        } catch {
            return error
        }
    }

    private func scanned(_ bytes: [UInt8], isPlain: Bool) -> (fault: JSONScan.Fault?, suspects: [Range<Int>]) {
        do throws(JSONScan.Fault) {
            let scan = try JSONScan(bytes, deepest: 64, rules: Self.rules, isPlain: isPlain)
            return (nil, (0..<scan.suspectCount).map { scan.suspect($0).range })
        } catch {
            return (error, [])
        }
    }

    @Test func `the walk and the lexer find the same, in all ways`() {
        var random = SeededRandom(seed: 5)
        var (whole, broken) = (0, 0)
        for _ in 0..<20_000 {
            let bytes = changed(&random)
            let expected = lexed(bytes)
            let (fault, suspects) = scanned(bytes, isPlain: false)
            let plain = scanned(bytes, isPlain: true)
            #expect(fault?.offset == expected?.offset && fault?.problem == expected?.problem, "\(bytes)")
            #expect(plain.fault == fault && plain.suspects == suspects, "\(bytes)")
            if fault == nil { whole += 1 } else { broken += 1 }
        }
        #expect(whole > 1000 && broken > 1000)
    }
}
