// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import JSONScan
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

    static let members: [String: ScanTree.Value] = [
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
    init(_ event: JSONFinding) throws {
        identity = try Self.identity(event)
        arch = event["arch"]?.text
        release = event["release"]?.text
        let executable = event["contexts"]?["process"]?["executable"]?.text
        let images = event["debug_images"]?.elements ?? []
        let program = executable.flatMap { path in images.first { $0["code_file"]?.text == path } }
        programBuildID = ((program ?? images.first)?["build_id"]?.text).flatMap { BuildID(hex: $0)?.description }
    }

    private static func identity(_ event: JSONFinding) throws -> Identity {
        if let version = event["schema_version"], version.slice.elementsEqual("1".utf8),
            let id = event["event_id"]?.text, let type = event["type"]?.text,
            let time = event["timestamp"]?.text, let timestamp = Timestamp(rfc3339: time)
        {
            return Identity(schemaVersion: 1, eventID: id, type: EventType(rawValue: type), timestamp: timestamp)
        }
        // Anything unusual is read, or refused, by the usual way, but for what does not belong to it.
        guard event.isContainer else {
            return try ModelCoding.decode(Identity.self, from: Data(event.slice))
        }
        var document = "{"
        for key in Identity.CodingKeys.allCases {
            guard let value = event.member(key.rawValue) else { continue }
            document += (document.count > 1 ? "," : "") + "\"\(key.rawValue)\":"
            document += String(decoding: value.slice, as: UTF8.self)
        }
        return try ModelCoding.decode(Identity.self, from: Data((document + "}").utf8))
    }
}
