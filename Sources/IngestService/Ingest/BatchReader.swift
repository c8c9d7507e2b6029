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
        package var installID: String?
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

    private var walk: [String: JSONWalk] {
        [
            "schema_version": .value, "install_id": .value, "sequence": .value,
            "items": .array(
                ["kind": .value, "id": .value, "payload": .object(EventHead.walk)], most: limits.refusedBatchItems),
        ]
    }

    package mutating func read() throws(APIError) -> Result {
        let batch: JSONFinding
        do throws(JSONFault) {
            batch = try scanner.walkDocument(into: walk)
        } catch {
            let place = scanner.place(of: error.offset)
            throw APIError(
                400, "malformed_json",
                "the body is no JSON: \(error.problem) at byte \(error.offset) (line \(place.line), column \(place.column))"
            )
        }
        guard let found = batch["items"], let items = found.elements else {
            throw APIError(400, "malformed_batch", "a batch is a JSON object with an array \"items\"")
        }
        guard found.elementCount <= limits.refusedBatchItems else {
            throw APIError(
                413, "too_many_items",
                "the batch has \(found.elementCount) items; at most \(limits.batchItems) of one are taken. Send it in parts"
            )
        }
        let version = batch["schema_version"].flatMap { decode(Int.self, $0) } ?? Batch.schemaVersion
        installID = batch["install_id"].flatMap { decode(String.self, $0) }.flatMap {
            $0.isEmpty || $0.utf8.count > 200 ? nil : $0
        }
        var result = Result()
        result.origin = origin(batch)
        result.installID = installID
        for (index, item) in items.enumerated() {
            do throws(Refusal) {
                let (entry, build) = try entry(item, index: index, version: version)
                result.entries.append(entry)
                result.builds.append(build)
            } catch {
                result.rejected.append(
                    IngestReply.Rejection(index: index, code: error.code, reason: error.reason))
            }
        }
        return result
    }

    /// Nil where the batch does not tell, or not in the way of ours.
    private func origin(_ batch: JSONFinding) -> BatchOrigin? {
        guard let id = batch["install_id"].flatMap({ decode(String.self, $0) }),
            (1...BatchOrigin.longestID).contains(id.utf8.count),
            let sequence = batch["sequence"].flatMap({ decode(Int64.self, $0) }), sequence > 0, sequence < .max
        else { return nil }
        return BatchOrigin(installID: id, sequence: sequence)
    }

    private func entry(
        _ item: JSONFinding, index: Int, version: Int
    ) throws(Refusal) -> (SpoolEntry, CrashedBuild?) {
        guard version <= Batch.schemaVersion else { throw Self.newer(version) }
        guard index < limits.batchItems else {
            throw Refusal(
                code: "too_many_items",
                reason: "a batch holds at most \(limits.batchItems) items; send the rest in another")
        }
        guard item.members != nil else {
            throw Refusal(
                code: "invalid_item", reason: "an item is a JSON object with \"kind\", \"id\" and \"payload\"")
        }
        let kind = try word("kind", item, longest: 64)
        let id = try word("id", item, longest: 200)
        guard let payload = item["payload"] else {
            throw Refusal(code: "invalid_item", reason: "the item has no \"payload\"")
        }
        let build = try check(kind, payload)
        let data = Data(scanner.slice(payload.range))
        return (SpoolEntry(kind: kind, itemID: id, payload: data, installID: installID), build)
    }

    private func word(
        _ name: String, _ item: JSONFinding, longest: Int
    ) throws(Refusal) -> String {
        guard let text = item[name].flatMap({ decode(String.self, $0) }), !text.isEmpty,
            text.utf8.count <= longest
        else {
            throw Refusal(code: "invalid_item", reason: "\"\(name)\" must be a text of 1 to \(longest) bytes")
        }
        return text
    }

    /// Kinds that are worked on must be readable; all others are kept as they are. Of an event so much must be that it can
    /// be told from others: what else cannot be read of it, it loses when it is worked on.
    private func check(_ kind: String, _ payload: JSONFinding) throws(Refusal) -> CrashedBuild? {
        switch ItemKind(rawValue: kind) {
        case .event:
            return try checked(payload)
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
        return nil
    }

    private func checked(_ payload: JSONFinding) throws(Refusal) -> CrashedBuild? {
        let head: EventHead
        do {
            head = try EventHead(payload, in: scanner)
        } catch {
            throw Refusal(code: "invalid_event", reason: Self.describe(error))
        }
        guard head.identity.schemaVersion <= Event.schemaVersion else { throw Self.newer(head.identity.schemaVersion) }
        guard head.identity.hasProperID else {
            throw Refusal(code: "invalid_event", reason: "\"event_id\" must be 32 lowercase hexadecimal digits")
        }
        if head.identity.type == .crash, let arch = head.arch, !Event.architectures.contains(arch) {
            throw Refusal(
                code: "unsupported_architecture",
                reason: "a crash of \"\(arch.prefix(40))\" cannot be unwound here, only those of "
                    + Event.architectures.joined(separator: " and "))
        }
        return CrashedBuild(head)
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type, _ payload: JSONFinding, code: String
    ) throws(Refusal) -> Value {
        do {
            return try ModelCoding.decode(type, from: Data(scanner.slice(payload.range)))
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

    private func decode<Value: Decodable>(_ type: Value.Type, _ finding: JSONFinding) -> Value? {
        if Value.self == String.self, let text = scanner.plainText(finding.range) { return text as? Value }
        return try? ModelCoding.decode(type, from: Data(scanner.slice(finding.range)))
    }
}
