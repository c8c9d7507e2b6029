// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
package import VakaModel

/// What a run told about itself: values by scope and key, from the newest whole context buffer.
package struct RunContext: Hashable, Sendable {
    package struct Key: Hashable, Sendable {
        var scope: UInt16
        var key: String
    }

    private(set) var generation: UInt32 = 0
    private(set) var values: [Key: String] = [:]
    /// Entries that did not fit the buffer.
    private(set) var dropped: UInt32 = 0

    package init() {}

    /// Nil where the buffer is torn: then the other one holds the state before.
    init?(buffer: ArraySlice<UInt8>) {
        var reader = ByteReader(buffer)
        guard let header = reader.next(vaka_context_header.self), header.magic == VAKA_CONTEXT_MAGIC,
            let entries = reader.next(count: Int(header.used_bytes)),
            entries.withUnsafeBytes({ vaka_crc32(0, $0.baseAddress, $0.count) }) == header.entries_crc
        else { return nil }
        generation = header.generation
        dropped = header.entries_dropped
        var entry = ByteReader(entries)
        while let head = entry.next(vaka_context_entry.self) {
            guard let key = entry.next(count: Int(head.key_bytes)),
                let value = entry.next(count: Int(head.value_bytes))
            else { break }
            values[Key(scope: head.scope, key: text(key))] = text(value)
            entry.align()
        }
    }

    /// The newer of the buffers that are whole.
    static func newest(_ buffers: [ArraySlice<UInt8>]) -> RunContext? {
        buffers.compactMap { RunContext(buffer: $0) }.max { $0.generation < $1.generation }
    }

    func scope(_ scope: vaka_context_scope) -> [String: String] {
        var result: [String: String] = [:]
        for (key, value) in values where key.scope == UInt16(truncatingIfNeeded: scope.rawValue) {
            result[key.key] = value
        }
        return result
    }

    package var release: String? { scope(VAKA_CONTEXT_RELEASE)["release"] }
    package var environment: String? { scope(VAKA_CONTEXT_RELEASE)["environment"] }
    /// Of the control group whose memory the process counts in: `version`, `path`, `kills_file`, `inode`.
    package var group: [String: String] { scope(VAKA_CONTEXT_GROUP) }
    /// Of the run itself: `pid_namespace`, `start_ticks`, `watched`.
    package var run: [String: String] { scope(VAKA_CONTEXT_RUN) }
    /// Of the reporter, which alone knows what it means.
    package var queue: String? { scope(VAKA_CONTEXT_SDK)["queue"] }
    /// The name of the run's last recorded moments.
    package var recording: String? { scope(VAKA_CONTEXT_SDK)["recording"] }
    /// Paths of the files that the run named to be attached, by name.
    package var attachments: [String: String] { scope(VAKA_CONTEXT_ATTACHMENT) }
    package var hostName: String? { scope(VAKA_CONTEXT_HOST)["name"] }
    package var tags: [String: String] { scope(VAKA_CONTEXT_TAG) }
    /// What the SDK could capture; nil where the run told nothing of it.
    package var capabilities: [CapabilityDescriptor]? {
        scope(VAKA_CONTEXT_SDK)["capabilities"].flatMap {
            try? ModelCoding.decode([CapabilityDescriptor].self, from: Data($0.utf8))
        }
    }

    /// `other.<name>` stands for a member of the object `other`.
    package var user: [String: JSONValue]? {
        var user: [String: JSONValue] = [:]
        var other: [String: JSONValue] = [:]
        for (key, text) in scope(VAKA_CONTEXT_USER) {
            if key.hasPrefix("other.") {
                other[String(key.dropFirst(6))] = .string(text)
            } else if key == "year_of_birth", let year = Int64(text) {
                user[key] = .integer(year)
            } else {
                user[key] = .string(text)
            }
        }
        if !other.isEmpty { user["other"] = .object(other) }
        return user.isEmpty ? nil : user
    }

    /// The document's `contexts`: each object is there, empty where nothing is known.
    package var contexts: [String: JSONValue] {
        let scopes: [(String, vaka_context_scope)] = [
            ("os", VAKA_CONTEXT_OS), ("kernel", VAKA_CONTEXT_KERNEL), ("libc", VAKA_CONTEXT_LIBC),
            ("host", VAKA_CONTEXT_HOST), ("container", VAKA_CONTEXT_CONTAINER), ("process", VAKA_CONTEXT_PROCESS),
        ]
        var contexts: [String: JSONValue] = [:]
        for (name, scope) in scopes {
            contexts[name] = .object(
                Dictionary(uniqueKeysWithValues: self.scope(scope).map { ($0, Self.value(key: $0, text: $1)) }))
        }
        return contexts
    }

    /// Counts and ids travel as numbers.
    private static func value(key: String, text: String) -> JSONValue {
        let numeric = key.hasSuffix("_count") || key.hasSuffix("_bytes") || key.hasSuffix("pid")
        if numeric, let number = Int64(text) { return .integer(number) }
        return .string(text)
    }
}
