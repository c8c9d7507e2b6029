// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

@testable import Privacy

struct AddressPartsTests {
    private func shortened(_ address: String) -> String {
        AddressParts.shortened(Array(address.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? address
    }

    @Test(arguments: [
        ("https://h/p?q=1#f", "https://h/p"), ("https://u:p@h:8443/p", "https://h:8443/p"),
        ("https://u:p@s@h/p?x", "https://h/p"), ("ws://u@h", "ws://h"), ("https://h/p#f?g", "https://h/p"),
        ("https://h/a@b", "https://h/a@b"), ("//u:p@h/p", "//h/p"), ("/p/a@b?q", "/p/a@b"), ("mailto:a@b", "mailto:b"),
        ("https:\\\\u:p@h\\p", "https:\\\\h\\p"), ("https:////u:p@h/p", "https:////h/p"), ("?q", ""), ("", ""),
        ("https://?u:p@h", "https://"), ("https://h", "https://h"), ("https://ü:ß@höst/ä", "https://höst/ä"),
    ]) func `user, password, query and fragment go`(address: String, expected: String) {
        #expect(shortened(address) == expected)
        #expect(shortened(expected) == expected, "once more changes nothing")
    }

    private let document = Data(
        #"{"url":"https://u:pw@h/p?token\u003dq","path":"/p?q=1","requestHeaders":{"Cookie":"c","Accept":"a"}}"#.utf8)

    @Test func `the addresses of a network record are shortened unless the rule is off`() throws {
        let usual = PayloadScrubber(.usual)
        let text = String(decoding: try usual.scrub(document, .network), as: UTF8.self)
        #expect(
            text
                == #"{"url":"https://h/p","path":"/p","requestHeaders":{"Cookie":"[scrubbed: secret]","Accept":"a"}}"#)
        let rules = ScrubRule.builtIn.filter { $0.name != ScrubRule.addressParts }
        let whole = try PayloadScrubber(ScrubPlan(rules)).scrub(document, .network)
        #expect(String(decoding: whole, as: UTF8.self).contains(#""path":"/p?q=1""#))
        // Other rules hold all the same.
        #expect(!String(decoding: whole, as: UTF8.self).contains("pw@"))
        // Items of other kinds have addresses of their own.
        #expect(String(decoding: try usual.scrub(document, .other), as: UTF8.self).contains("/p?q=1"))
    }

    @Test func `so are those of an event's exchanges`() throws {
        let event = Data(#"{"network":[{"url":"https://h/p?q","path":"/p#f"},{"url":"https://u@h"}],"a":"/p?q"}"#.utf8)
        let text = String(decoding: try PayloadScrubber(.usual).scrub(event, .event), as: UTF8.self)
        #expect(text == #"{"network":[{"url":"https://h/p","path":"/p"},{"url":"https://h"}],"a":"/p?q"}"#)
    }

    @Test(arguments: 0..<200) func `no address has a query, a fragment or a user afterwards`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let letters = Array("ab:/?#@\\.%é2".unicodeScalars)
        var address = "https://"
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            address.unicodeScalars.append(letters.randomElement(using: &random)!)
        }
        let short = shortened(address)
        #expect(!short.contains("?") && !short.contains("#"), "\(address)")
        #expect(shortened(short) == short, "\(address)")
        let authority = short.dropFirst("https:".count).drop { $0 == "/" || $0 == "\\" }
            .prefix { $0 != "/" && $0 != "\\" }
        #expect(!authority.contains("@"), "\(address)")
    }
}
