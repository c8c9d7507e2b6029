// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// What the door reads of an event: what makes it this event, and of which build it is.
struct EventHead {
    /// Without these it is no event.
    struct Identity: Decodable {
        var schemaVersion: Int
        var eventID: String
        var type: EventType
        var timestamp: Timestamp

        enum CodingKeys: String, CodingKey, CaseIterable {
            case schemaVersion = "schema_version"
            case eventID = "event_id"
            case type, timestamp
        }

        var hasProperID: Bool {
            eventID.utf8.count == 32
                && eventID.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
    }

    static let walk: [String: JSONWalk] = [
        "schema_version": .value, "event_id": .value, "type": .value, "timestamp": .value, "arch": .value,
        "release": .value, "contexts": .object(["process": .object(["executable": .value])]),
        "debug_images": .array(["build_id": .value, "code_file": .value], most: 8192),
    ]

    let identity: Identity
    let arch: String?
    let release: String?
    /// The build id of the program's own image, else that of the first one.
    let programBuildID: String?

    /// Throws what is wrong with the identity.
    init(_ event: JSONFinding, in scanner: JSONScanner) throws {
        identity = try Self.identity(event, scanner)
        arch = scanner.text(event["arch"])
        release = scanner.text(event["release"])
        let executable = scanner.text(event["contexts"]?["process"]?["executable"])
        let images = event["debug_images"]?.elements ?? []
        let program = executable.flatMap { path in images.first { scanner.text($0["code_file"]) == path } }
        programBuildID = scanner.text((program ?? images.first)?["build_id"]).flatMap { BuildID(hex: $0)?.description }
    }

    private static func identity(_ event: JSONFinding, _ scanner: JSONScanner) throws -> Identity {
        if let version = event["schema_version"], scanner.slice(version.range).elementsEqual("1".utf8),
            let id = scanner.text(event["event_id"]), let type = scanner.text(event["type"]),
            let time = scanner.text(event["timestamp"]), let timestamp = Timestamp(rfc3339: time)
        {
            return Identity(schemaVersion: 1, eventID: id, type: EventType(rawValue: type), timestamp: timestamp)
        }
        // Anything unusual is read, or refused, by the usual way, but for what does not belong to it.
        guard event.members != nil else {
            return try ModelCoding.decode(Identity.self, from: Data(scanner.slice(event.range)))
        }
        var document = "{"
        for key in Identity.CodingKeys.allCases {
            guard let value = event[key.rawValue] else { continue }
            document += (document.count > 1 ? "," : "") + "\"\(key.rawValue)\":"
            document += String(decoding: scanner.slice(value.range), as: UTF8.self)
        }
        return try ModelCoding.decode(Identity.self, from: Data((document + "}").utf8))
    }
}
