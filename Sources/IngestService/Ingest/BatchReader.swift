// SPDX-License-Identifier: Apache-2.0
package import EventStore
package import FoundationEssentials
package import VakaModel

/// Takes a batch apart: good items become spool entries with their payload as it was sent, bad ones a reason each.
package struct BatchReader {
    package struct Result {
        package var entries: [SpoolEntry] = []
        /// Of each entry: the build of the program whose crash it is.
        package var builds: [CrashedBuild?] = []
        package var rejected: [IngestReply.Rejection] = []
        package var origin: BatchOrigin?
        /// Events of which something was dropped; their `loss` says what.
        package var repaired = 0
    }

    private struct Checked {
        var payload: Data
        var isRepaired = false
        var build: CrashedBuild?
    }

    private struct Refusal: Error {
        var code: String
        var reason: String
    }

    private let limits: ServiceLimits
    private var scanner: JSONScanner
    private var installID: String?

    package init(_ body: Data, limits: ServiceLimits) {
        self.limits = limits
        scanner = JSONScanner(Array(body), deepest: limits.jsonDepth)
    }

    package mutating func read() throws(APIError) -> Result {
        do throws(JSONFault) {
            try scanner.checkDocument()
        } catch {
            let place = scanner.place(of: error.offset)
            throw APIError(
                400, "malformed_json",
                "the body is no JSON: \(error.problem) at byte \(error.offset) (line \(place.line), column \(place.column))"
            )
        }
        guard let members = scanner.members(at: firstByte), let list = value("items", members),
            let items = scanner.elements(at: list.lowerBound)
        else {
            throw APIError(400, "malformed_batch", "a batch is a JSON object with an array \"items\"")
        }
        let version = value("schema_version", members).flatMap { decode(Int.self, $0) } ?? Batch.schemaVersion
        installID = value("install_id", members).flatMap { decode(String.self, $0) }.flatMap {
            $0.isEmpty || $0.utf8.count > 200 ? nil : $0
        }
        var result = Result()
        result.origin = origin(members)
        for (index, range) in items.enumerated() {
            do throws(Refusal) {
                let item = try entry(range, index: index, version: version)
                result.entries.append(item.entry)
                result.builds.append(item.checked.build)
                result.repaired += item.checked.isRepaired ? 1 : 0
            } catch {
                result.rejected.append(
                    IngestReply.Rejection(index: index, code: error.code, reason: error.reason))
            }
        }
        return result
    }

    /// Nil where the batch does not tell, or not in the way of ours.
    private func origin(_ members: [(name: ArraySlice<UInt8>, value: Range<Int>)]) -> BatchOrigin? {
        guard let id = value("install_id", members).flatMap({ decode(String.self, $0) }),
            (1...BatchOrigin.longestID).contains(id.utf8.count),
            let sequence = value("sequence", members).flatMap({ decode(Int64.self, $0) }), sequence > 0, sequence < .max
        else { return nil }
        return BatchOrigin(installID: id, sequence: sequence)
    }

    private var firstByte: Int {
        var start = 0
        while start < scanner.position,
            [0x20, 0x0a, 0x0d, 0x09].contains(scanner.slice(start..<(start + 1)).first ?? 0)
        {
            start += 1
        }
        return start
    }

    private func entry(
        _ range: Range<Int>, index: Int, version: Int
    ) throws(Refusal) -> (entry: SpoolEntry, checked: Checked) {
        guard version <= Batch.schemaVersion else { throw Self.newer(version) }
        guard index < limits.batchItems else {
            throw Refusal(
                code: "too_many_items",
                reason: "a batch holds at most \(limits.batchItems) items; send the rest in another")
        }
        guard let members = scanner.members(at: range.lowerBound) else {
            throw Refusal(
                code: "invalid_item", reason: "an item is a JSON object with \"kind\", \"id\" and \"payload\"")
        }
        let kind = try word("kind", members, longest: 64)
        let id = try word("id", members, longest: 200)
        guard let payload = value("payload", members) else {
            throw Refusal(code: "invalid_item", reason: "the item has no \"payload\"")
        }
        let data = Data(scanner.slice(payload))
        let checked = try check(kind, data)
        return (SpoolEntry(kind: kind, itemID: id, payload: checked.payload, installID: installID), checked)
    }

    private func word(
        _ name: String, _ members: [(name: ArraySlice<UInt8>, value: Range<Int>)], longest: Int
    ) throws(Refusal) -> String {
        guard let range = value(name, members), let text = decode(String.self, range), !text.isEmpty,
            text.utf8.count <= longest
        else {
            throw Refusal(code: "invalid_item", reason: "\"\(name)\" must be a text of 1 to \(longest) bytes")
        }
        return text
    }

    /// Kinds that are worked on must be readable; all others are kept as they are. An event may lose what cannot be read.
    private func check(_ kind: String, _ payload: Data) throws(Refusal) -> Checked {
        switch ItemKind(rawValue: kind) {
        case .event:
            let repair = try checked(payload)
            return Checked(
                payload: repair.payload, isRepaired: repair.isRepaired, build: CrashedBuild(repair.event))
        case .hangEnd:
            _ = try decoded(HangEnd.self, payload, code: "invalid_hang_end")
        case .attachment:
            let attachment = try decoded(EventAttachment.self, payload, code: "invalid_attachment")
            guard (attachment.data?.count ?? 0) <= limits.attachmentBytes else {
                throw Refusal(
                    code: "attachment_too_large",
                    reason: "an attachment holds at most \(limits.attachmentBytes) bytes; send its end only")
            }
        case .session:
            _ = try decoded(Session.self, payload, code: "invalid_session")
        default:
            break
        }
        return Checked(payload: payload)
    }

    private func checked(_ payload: Data) throws(Refusal) -> EventRepair {
        let repair: EventRepair
        do {
            repair = try EventRepair(payload)
        } catch {
            throw Refusal(code: "invalid_event", reason: Self.describe(error))
        }
        let event = repair.event
        guard event.schemaVersion <= Event.schemaVersion else { throw Self.newer(event.schemaVersion) }
        let digits = event.eventID.utf8.count == 32 && event.eventID.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        guard digits else {
            throw Refusal(code: "invalid_event", reason: "\"event_id\" must be 32 lowercase hexadecimal digits")
        }
        if event.type == .crash, let arch = event.arch, !Event.architectures.contains(arch) {
            throw Refusal(
                code: "unsupported_architecture",
                reason: "a crash of \"\(arch.prefix(40))\" cannot be unwound here, only those of "
                    + Event.architectures.joined(separator: " and "))
        }
        return repair
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type, _ payload: Data, code: String
    ) throws(Refusal) -> Value {
        do {
            return try ModelCoding.decode(type, from: payload)
        } catch {
            throw Refusal(code: code, reason: Self.describe(error))
        }
    }

    private static func newer(_ version: Int) -> Refusal {
        Refusal(
            code: "unsupported_schema_version",
            reason:
                "schema version \(version) is newer than this server knows (\(Batch.schemaVersion)); update the server")
    }

    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "the payload cannot be read" }
        let (path, problem): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath, "\"\(key.stringValue)\" is missing")
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context.codingPath, context.debugDescription)
            @unknown default: ([], "the payload cannot be read")
            }
        let place = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return String("payload\(place): \(problem)".prefix(400))
    }

    /// The last of a name wins, as everywhere.
    private func value(_ name: String, _ members: [(name: ArraySlice<UInt8>, value: Range<Int>)]) -> Range<Int>? {
        members.last { $0.name.elementsEqual(name.utf8) }?.value
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ range: Range<Int>) -> Value? {
        try? ModelCoding.decode(type, from: Data(scanner.slice(range)))
    }
}
