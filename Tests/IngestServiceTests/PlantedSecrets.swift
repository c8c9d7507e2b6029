// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// Secrets as they get into reports, and the texts that carry them.
enum PlantedSecrets {
    /// None is anywhere once it was taken.
    static let secrets = [
        "hunter2zq7k", "zq7kbearer0123456789", "zq7kcookievalue", "zq7kurlpass", "AKIAZQ7KEXAMPLE12345",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6cTdrIn0.zq7ksignature", "4111 1111 1111 1111", "MIIEzq7kprivatekey",
        "zq7khome", "zq7kclient", "ghp_zq7k0123456789abcdefABCDEF0123456789", "zq7knamed",
    ]

    /// Each in a text as programs write it.
    static let texts = [
        "cannot connect: password=hunter2zq7k", "Authorization: Bearer zq7kbearer0123456789",
        "Cookie: sid=zq7kcookievalue", "tried postgres://app:zq7kurlpass@db/orders",
        "signed with AKIAZQ7KEXAMPLE12345.", "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6cTdrIn0.zq7ksignature expired",
        "card 4111 1111 1111 1111 refused",
        "-----BEGIN PRIVATE KEY-----\nMIIEzq7kprivatekey\n-----END PRIVATE KEY-----",
        "no such file: /home/zq7khome/notes.txt", "{\"client_secret\": \"zq7kclient\"}",
        "push with ghp_zq7k0123456789abcdefABCDEF0123456789 failed", "quote \\\" and \u{e9}: --password hunter2zq7k",
    ]

    static var all: String { texts.joined(separator: "\n") }

    /// An event with all of them in every text that it has.
    static func event(_ number: Int) -> Event {
        var event = Samples.crash(number, message: all)
        event.release = "app@" + texts[0]
        event.environment = texts[1]
        event.tags = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("tag\($0.offset)", $0.element) })
        event.tags["db_password"] = "zq7knamed"
        event.user = ["id": .string(texts[3]), "note": .string(all), "api-key": .string("zq7knamed")]
        event.contexts = [
            "process": [
                "name": .string(texts[0]), "executable": .string(texts[8]), "arguments": .array([.string(all)]),
            ],
            "custom": ["deep": ["deeper": .array([["secret": ["inner": "zq7knamed"]], .string(all)])]],
        ]
        event.breadcrumbs = texts.map { text in
            Breadcrumb(
                timestamp: Timestamp(milliseconds: 1), category: "stderr", message: text,
                data: ["line": .string(text), "Authorization": "zq7knamed"])
        }
        event.errors = [ReportedError(type: texts[4], message: all)]
        event.errors[0].frames = event.threads[0].frames
        event.errors[0].frames[0].file = texts[8]
        event.session = Session(
            id: texts[5], started: Timestamp(milliseconds: 1), status: SessionStatus(rawValue: "ok"))
        event.threads[0].name = texts[10]
        event.threads[0].frames[0].file = texts[8]
        event.threads[0].frames[0].module = texts[0]
        event.threads[0].frames[0].notes = texts
        event.debugImages[0].codeFile = texts[8]
        event.loss = [Loss(what: texts[0], why: all)]
        event.fingerprint = [texts[0]]
        return event
    }
}
