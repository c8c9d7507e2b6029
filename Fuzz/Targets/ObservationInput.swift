// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import ObservationClient
import VakaModel
import VakaObservation

/// What comes over the observation bridge, from either side: the last byte says as what the rest is read.
enum ObservationInput {
    static func run(_ bytes: [UInt8]) {
        guard let kind = bytes.last else { return }
        let content = Array(bytes.dropLast())
        switch kind % 8 {
        case 0: readHead(content)
        case 1: readTwice(ObservationAction.self, content)
        case 2: readTwice(WebAction.self, content)
        case 3: readTwice(ObservationSnapshot.self, content)
        case 4: readPage(content)
        case 5: readReply(content)
        case 6: readHealth(content)
        default: readAddress(String(decoding: content, as: UTF8.self))
        }
    }

    private static func readHead(_ bytes: [UInt8]) {
        let end = RequestHead.end(in: bytes) ?? bytes.count
        for start in [0, 1, bytes.count / 2] where start < bytes.count {
            // However the bytes come in, the end is the same.
            let known = RequestHead.end(in: Array(bytes[..<start]))
            precondition(known ?? RequestHead.end(in: bytes, from: start) ?? bytes.count == end, "another end")
        }
        guard let head = try? RequestHead(bytes[..<end]) else { return }
        precondition(head.path.hasPrefix("/") && !head.path.contains("?") && head.contentLength >= 0)
        precondition(head.fields.count <= 64 && !head.method.isEmpty)
        for (name, value) in head.fields {
            precondition(name == name.lowercased() && !value.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 })
        }
    }

    private static func readTwice<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) {
        guard let value = try? ModelCoding.decode(type, from: Data(bytes)) else { return }
        guard let written = try? ModelCoding.encode(value), let again = try? ModelCoding.decode(type, from: written)
        else {
            preconditionFailure("what was read cannot be written and read")
        }
        precondition(again == value, "what is written is something else")
    }

    private static func readPage(_ bytes: [UInt8]) {
        guard let message = PageMessage(bytes) else { return }
        for redactText in [true, false] {
            let policy = WebViewPolicy(
                allowedOrigins: ["https://shop.example"], maxElements: 3, redactText: redactText, maxMessageBytes: 4096)
            let snapshot = message.snapshot(policy, snapshotId: "s")
            precondition(snapshot.elements.count <= 3 && !snapshot.url.contains("?") && !snapshot.url.contains("#"))
            for element in snapshot.elements {
                precondition(element.value == nil || !redactText && element.inputType?.lowercased() != "password")
                precondition(element.redacted == nil || element.value == nil)
                precondition(element.bounds.width >= 0 && element.bounds.height >= 0)
            }
            precondition((try? ModelCoding.encode(snapshot)) != nil, "a snapshot that cannot be written")
        }
    }

    private static func readReply(_ bytes: [UInt8]) {
        guard let reply = Reply(bytes) else { return }
        precondition((101...599).contains(reply.status) && reply.body.count <= bytes.count)
    }

    private static func readHealth(_ bytes: [UInt8]) {
        guard let reading = HealthReading(bytes) else { return }
        switch reading.bridge {
        case .available(let version, let actions): precondition(version >= 1 && actions == Set(actions).sorted())
        case .unavailable(let reason): precondition(ObservationUnavailability.known.contains(reason))
        }
    }

    private static func readAddress(_ text: String) {
        let plain = WebOrigin.withoutSecrets(text)
        precondition(!plain.contains("?") && !plain.contains("#"), "a query or a fragment")
        guard let origin = WebOrigin.of(text) else { return }
        precondition(WebOrigin.of(origin) == origin && plain.hasPrefix(origin), "another origin")
        precondition(WebOrigin.withoutSecrets(plain) == plain, "not all is taken out at once")
    }
}
