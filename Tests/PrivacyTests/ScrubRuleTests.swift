// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Privacy

struct ScrubRuleTests {
    private let usual = TextScrubber(.usual)

    @Test(arguments: [
        ("Authorization: Bearer abcdef1234567890.x", "Authorization: Bearer [scrubbed: authorization]"),
        ("{\"authorization\":\"Basic dXNlcjpodW50ZXIy\"}", "{\"authorization\":\"Basic [scrubbed: authorization]\"}"),
        ("got Bearer 0123456789abcdef0 back", "got Bearer [scrubbed: authorization] back"),
        ("Set-Cookie: sid=38afes7a8; Path=/", "Set-Cookie: [scrubbed: authorization]"),
        ("postgres://app:hunter2@db/x", "postgres://app:[scrubbed: url-password]@db/x"),
        ("redis://:p@ss:w@db:6379", "redis://:[scrubbed: url-password]@db:6379"),
        ("https://host:8080/a@b", "https://host:8080/a@b"),
        ("password=hunter2&x=1", "password=[scrubbed: secret]&x=1"),
        ("DB_PASSWORD: hunter2", "DB_PASSWORD: [scrubbed: secret]"),
        ("client_secret = 'a b c', next", "client_secret = '[scrubbed: secret]', next"),
        ("\"apiKey\": \"a b\"", "\"apiKey\": \"[scrubbed: secret]\""),
        ("aws_secret_access_key=wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key=[scrubbed: secret]"),
        ("run --password hunter2 --verbose", "run --password [scrubbed: secret] --verbose"),
        ("GET /?token=abc&x=1", "GET /?token=[scrubbed: secret]&x=1"),
        ("unexpected token: }", "unexpected token: }"),
        ("key AKIAIOSFODNN7EXAMPLE used", "key [scrubbed: cloud-key] used"),
        ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "[scrubbed: cloud-key]"),
        ("xoxb-123456789012-abcdefABCDEF", "[scrubbed: cloud-key]"),
        (
            "t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4", "t=[scrubbed: jwt]"
        ),
        (
            "a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b", "a [scrubbed: private-key] b"
        ),
        ("-----BEGIN PRIVATE KEY-----\ncut sho", "[scrubbed: private-key]"),
        ("paid with 4111 1111 1111 1111.", "paid with [scrubbed: card-number]."),
        ("paid with 4111-1111-1111-1112.", "paid with 4111-1111-1111-1112."),
        ("amex 378282246310005!", "amex [scrubbed: card-number]!"),
        ("at 0x4111111111111111", "at 0x4111111111111111"), ("0.4111111111111111", "0.4111111111111111"),
        ("cannot open /home/ann/.ssh/id_rsa", "cannot open ~/.ssh/id_rsa"),
        ("/home/" + String(repeating: "0", count: 60) + "4111111111111111/x", "~/x"),
        ("/home//ann/x and /home//home/x", "~/x and ~/x"), ("/home//home/a/x", "~/a/x"),
        ("file:///Users/ann", "file://~"), ("/srv/home/ann/x", "/srv/home/ann/x"),
        ("mail ann@example.com", "mail ann@example.com"), ("", ""), ("Überraschung 🎉 ok", "Überraschung 🎉 ok"),
    ])
    func `what is a secret is taken out, and nothing else`(text: String, expected: String) {
        #expect(usual.scrub(text) == expected)
        // Once more changes nothing.
        #expect(usual.scrub(expected) == expected)
    }

    @Test func `e-mail addresses go where that is asked for`() throws {
        let asked = TextScrubber(try ScrubPlan(ScrubRule.builtIn + ScrubRule.onRequest))
        #expect(asked.scrub("mail ann.b+x@mail.example.com, please") == "mail [scrubbed: email], please")
    }

    @Test(arguments: [
        ("ORD-[0-9]{6}", "x ORD-123456 y", "x [scrubbed: own] y"),
        ("user (\\w+)", "user ann b", "user [scrubbed: own] b"),
        ("(?i)pin[:=] ?(\\d{4})(?!\\d)", "PIN: 1234 pin=12345", "PIN: [scrubbed: own] pin=12345"),
        ("a+b", "aaab", "[scrubbed: own]"), ("[a-z]+z", "xzyz1", "[scrubbed: own]1"),
        ("(?:ab|cd)?e", "abe cde e", "[scrubbed: own] [scrubbed: own] [scrubbed: own]"),
        ("\\x41\\.[^.]", "A.b A..", "[scrubbed: own] A.."), ("é", "café", "caf[scrubbed: own]"),
        ("<(?until:>)", "a <b> c <d", "a [scrubbed: own] c [scrubbed: own]"),
    ])
    func `projects have rules of their own`(pattern: String, text: String, expected: String) throws {
        let scrubber = TextScrubber(try ScrubPlan([ScrubRule("own", [pattern])]))
        #expect(scrubber.scrub(text) == expected)
    }

    @Test(arguments: [
        "", "(", "a)", "[a", "a{2", "a{3,2}", "a{99999}", "*", "a**", "\\", "\\q", "(?=a)", "[z-a]", "(?:a", "x?",
        "(a)(b)",
        "^a", "a$", "(?until:)", "\\xg0", String(repeating: "a", count: 501),
    ])
    func `patterns that cannot be read are refused`(pattern: String) {
        #expect(throws: ScrubPatternError.self) { try ScrubPattern(pattern) }
    }

    /// Texts made to be slow: what exceeds its bound is taken out whole, and soon.
    @Test func `time is bounded by the length`() throws {
        let hostile = [
            String(repeating: "eyJ", count: 10_000), String(repeating: "password", count: 4_000),
            String(repeating: "://", count: 10_000), String(repeating: "4", count: 30_000),
            String(repeating: "-----BEGIN ", count: 3_000), String(repeating: "://a:", count: 6_000),
            String(repeating: "cookie:", count: 4_000), String(repeating: "sk-", count: 10_000),
        ]
        let own = TextScrubber(try ScrubPlan([ScrubRule("own", ["[a-y]*z", "a(?until:b)c"])]))
        for text in hostile {
            _ = usual.scrub(text)
            _ = own.scrub(text)
        }
        let slow = String(repeating: "a", count: 30_000)
        #expect(own.scrub(slow) == "[scrubbed: a rule ran over its bound]")
    }
}
