// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import Privacy

/// The look at a whole document passes over what cannot hold a secret: it must never pass over one.
struct SecretsAmongTextsTests {
    private static let rounds = getenv("VAKA_SOAK") == nil ? 1500 : 150_000
    private static let pieces = [
        "-----BEGIN RSA PRIVATE KEY-----", "-----END", "Authorization: Bearer ", "bearer 0123456789abcdef0",
        "cookie: a=b",
        "://u:pw@h", "eyJhbGciOi.eyJzdWIiOi.x", "AKIAIOSFODNN7EXAMPLE", "AIza", "ghp_", "github_pat_", "glpat-",
        "xoxb-",
        "sk_live_", "SG.", "sk-", "npm_", "vk_", "password", "pwd", "api_key", "client_token", "=", ": ", "\"", "'",
        "--token ",
        "token=", "4111 1111 1111 1111", "378282246310005", "2221000000000009", "/home/ann/x", "/Users/a", "a", "Z",
        "_", "-", ".",
        " ", "0x7f12", "é", "\n", "0123456789abcdef0123456789abcdef0123456789", "x@y.example", "own-42",
    ]
    private static func plans() throws -> [ScrubPlan] {
        [
            .usual, try ScrubPlan(ScrubRule.builtIn + ScrubRule.onRequest),
            try ScrubPlan([
                ScrubRule("own", ["own-\\d+"]), ScrubRule("short", ["é"]), ScrubRule("choice", ["(?:AI|gh)?z?a"]),
                ScrubRule("class", ["(?<![\"x])[0-9]{2,}"]), ScrubRule("until", ["SG(?until:END)"]),
            ]),
            // So many that their starts have to share.
            try ScrubPlan((0..<300).map { ScrubRule("r\($0)", ["(?<![a-c])q\($0)z"]) } + ScrubRule.builtIn),
        ]
    }

    private func text(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }.joined()
    }

    @Test func `each text of a document is as if it were looked at alone`() throws {
        let plans = try Self.plans()
        var random = SeededRandom(seed: 3)
        var changed = 0
        for round in 0..<Self.rounds {
            let plan = plans[round % plans.count]
            let texts = (0..<8).map { _ in round % 4 == 3 ? text(&random) + "q\(round % 300)z" : text(&random) }
            let document = try ModelCoding.encode(JSONValue.array(texts.map { .string($0) }))
            let scrubbed = try PayloadScrubber(plan).scrub(document, .event)
            let expected = texts.map { text in
                JSONText.isAddress(text) ? text : TextScrubber(plan).scrub(text)
            }
            #expect(
                try ModelCoding.decode([String].self, from: scrubbed) == expected, "\(document.base64EncodedString())")
            if texts != expected { changed += 1 }
        }
        #expect(changed > Self.rounds / 4)
    }

    /// By its letters alone: separators and case do not matter.
    private func isSecret(_ name: String, own: [String]) -> Bool {
        let separators: Set<Character> = ["_", "-", ".", " "]
        let letters = name.lowercased().filter { !separators.contains($0) }
        let parts = [
            "password", "passwd", "passphrase", "secret", "apikey", "accesskey", "accountkey", "privatekey",
            "authorization",
            "credential", "accesstoken", "authtoken", "refreshtoken", "idtoken", "sessiontoken", "apitoken",
            "bearertoken",
            "csrftoken", "connectionstring", "cookie",
        ]
        return parts.contains { letters.contains($0) } || letters.hasSuffix("token") || letters.hasSuffix("pwd")
            || own.contains(letters)
    }

    @Test func `names stand for secrets by their letters`() throws {
        let own = ["x", "pin", "geheim.wort"]
        let pieces = [
            "pass", "word", "Pass", "wd", "pwd", "to", "ken", "s", "_", "-", ".", " ", "API", "key", "id", "Session",
            "secret",
            "x", "pin", "Geheim", "wort", "connection", "string", "co", "okie", "credential", "number", "\\u0070ass",
        ]
        let scrubber = PayloadScrubber(try ScrubPlan([], names: SecretNames(own: own)))
        var random = SeededRandom(seed: 9)
        var found = 0
        for _ in 0..<Self.rounds {
            let name = (0..<Int.random(in: 1...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let scrubbed = try scrubber.scrub(Data("{\"a\":\"\",\"\(name)\":7}".utf8), .other)
            let expected = isSecret(name.replacing("\\u0070", with: "p"), own: ["x", "pin", "geheimwort"])
            let isTaken = String(decoding: scrubbed, as: UTF8.self).contains("scrubbed")
            #expect(isTaken == expected, "\(name)")
            if isTaken { found += 1 }
        }
        #expect(found > Self.rounds / 10 && found < Self.rounds)
    }
}

extension JSONText {
    fileprivate static func isAddress(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { isAddress($0) }
    }
}
