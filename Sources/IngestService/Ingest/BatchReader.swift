// SPDX-License-Identifier: Apache-2.0
package import EventStore
import FoundationEssentials
import JSONScan
package import Privacy
package import VakaModel

/// Takes a batch apart: good items are made ready for the spool without their secrets, bad ones get a reason each.
package struct BatchReader {
    package struct Item {
        package var kind: String
        package var id: String
        /// The build of the program whose crash it is.
        var build: CrashedBuild?
        /// Where its payload stands in the batch.
        var payload: Range<Int>
        /// The payload's secrets.
        var edits: PayloadEdits
        /// Which of the batch's parts are its own.
        var parts: Range<Int>
    }

    package struct Result {
        package var items: [Item] = []
        package var rejected: [IngestReply.Rejection] = []
        package var origin: BatchOrigin?
        package var installID: String?
        /// Versions of network records among those that were rejected.
        var unsupported: [RefusedSchema] = []
    }

    private struct Refusal: Error {
        var code: String
        var reason: String
        var unsupported: RefusedSchema?
    }

    /// What is looked for in a batch.
    private static let tree = ScanTree(
        .object([
            "schema_version": .value, "install_id": .value, "sequence": .value,
            "items": .array(
                ["kind": .value, "id": .value, "parts": .value, "payload": .object(EventHead.members)], most: mostItems),
        ]))
    /// Batches with more are refused.
    private static let mostItems = 10_000

    private let limits: ServiceLimits
    private let body: BatchBody
    private let scrubber: PayloadScrubber
    private var installID: String?
    /// The batch is one item and no secret is in all of it: it may be kept as it came.
    private var isKeepable = false

    package init(_ body: BatchBody, limits: ServiceLimits, scrubber: PayloadScrubber) {
        self.limits = limits
        self.scrubber = scrubber
        self.body = body
    }

    /// As it waits in the spool, of a batch that was read.
    package func entry(_ item: Item) throws -> SpoolEntry {
        var payload =
            if isKeepable, let gzip = body.gzip {
                SpoolPayload.packed(item.payload, ofGzip: gzip)
            } else {
                try SpoolPayload.packed(item.edits.applied(to: body.text, item.payload))
            }
        if !item.parts.isEmpty { payload = SpoolPayload.joined(payload, body.parts, item.parts) }
        return SpoolEntry(kind: item.kind, itemID: item.id, payload: payload, installID: installID)
    }

    package mutating func read() throws(APIError) -> Result {
        let scan: JSONScan
        do throws(JSONScan.Fault) {
            scan = try scrubber.scan(batch: body.text, deepest: limits.jsonDepth, tree: Self.tree)
        } catch {
            throw malformed(error)
        }
        let batch = scan.document
        guard let found = batch["items"], found.isContainer else {
            throw APIError(400, "malformed_batch", "a batch is a JSON object with an array \"items\"")
        }
        guard found.elementCount <= min(limits.refusedBatchItems, Self.mostItems) else {
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
        let parts = try parts(found)
        for (index, item) in found.elements.enumerated() {
            do throws(Refusal) {
                result.items.append(try self.item(item, index: index, version: version, parts: parts[index]))
            } catch {
                result.rejected.append(
                    IngestReply.Rejection(index: index, code: error.code, reason: error.reason))
                if let unsupported = error.unsupported { result.unsupported.append(unsupported) }
            }
        }
        isKeepable = found.elementCount == 1 && (body.gzip.map(Gzip.isBare) ?? false) && isClean(scan, result.items)
        return result
    }

    /// Whether nothing is to be taken out of the one item's payload, nor of what stands around it.
    private func isClean(_ scan: JSONScan, _ items: [Item]) -> Bool {
        guard let item = items.first, item.edits.isEmpty else { return false }
        return [0..<item.payload.lowerBound, item.payload.upperBound..<scan.bytes.count].allSatisfy { range in
            (try? scrubber.edits(of: range, in: scan, .other).isEmpty) ?? false
        }
    }

    /// Nil where the batch does not tell, or not in the way of ours.
    private func origin(_ batch: JSONFinding) -> BatchOrigin? {
        guard let id = batch["install_id"].flatMap({ decode(String.self, $0) }),
            (1...BatchOrigin.longestID).contains(id.utf8.count),
            let sequence = batch["sequence"].flatMap({ decode(Int64.self, $0) }), sequence > 0, sequence < .max
        else { return nil }
        return BatchOrigin(installID: id, sequence: sequence)
    }

    /// Of each item: those that follow the parts of the items before it.
    private func parts(_ items: JSONFinding) throws(APIError) -> [Range<Int>] {
        var next = 0
        let ranges = try items.elements.enumerated().map { (index, item) throws(APIError) in
            guard let value = item["parts"] else { return next..<next }
            guard let count = decode(Int.self, value), count >= 0, count <= body.parts.count - next else {
                throw APIError(
                    400, "malformed_parts",
                    "\"parts\" of item \(index) is no number from 0 to \(body.parts.count - next), the parts that are left"
                )
            }
            defer { next += count }
            return next..<next + count
        }
        guard next == body.parts.count else {
            throw APIError(
                400, "malformed_parts",
                "the body has \(body.parts.count) parts, and \"parts\" of its items come to \(next)")
        }
        return ranges
    }

    private func item(
        _ item: JSONFinding, index: Int, version: Int, parts: Range<Int>
    ) throws(Refusal) -> Item {
        guard version <= Batch.schemaVersion else { throw Self.newer(version) }
        guard index < limits.batchItems else {
            throw Refusal(
                code: "too_many_items",
                reason: "a batch holds at most \(limits.batchItems) items; send the rest in another")
        }
        guard item.isContainer else {
            throw Refusal(
                code: "invalid_item", reason: "an item is a JSON object with \"kind\", \"id\" and \"payload\"")
        }
        let kind = try word("kind", item, longest: 64)
        let id = try word("id", item, longest: 200)
        guard let payload = item["payload"] else {
            throw Refusal(code: "invalid_item", reason: "the item has no \"payload\"")
        }
        let build = try check(kind, payload)
        guard parts.isEmpty || ItemKind(rawValue: kind) == .event else {
            throw Refusal(code: "invalid_item", reason: "only events have \"parts\"")
        }
        return Item(
            kind: kind, id: id, build: build, payload: payload.range, edits: try edits(payload, kind), parts: parts)
    }

    private func edits(_ payload: JSONFinding, _ kind: String) throws(Refusal) -> PayloadEdits {
        do throws(PayloadScrubber.Malformed) {
            return try scrubber.edits(of: payload.range, in: payload.scan, Scrubbing.kind(kind))
        } catch {
            throw Refusal(code: "invalid_item", reason: "the payload has a text that cannot be read")
        }
    }

    private func malformed(_ fault: JSONScan.Fault) -> APIError {
        let before = body.text.prefix(fault.offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return APIError(
            400, "malformed_json",
            "the body is no JSON: \(fault.problem) at byte \(fault.offset) (line \(line), column "
                + "\(fault.offset - start + 1))")
    }

    private func word(
        _ name: StaticString, _ item: JSONFinding, longest: Int
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
        case .recording:
            guard payload.range.count <= RecordingLimits.bytes else {
                throw Refusal(
                    code: "recording_too_large",
                    reason: "a part of a recording holds at most \(RecordingLimits.bytes) bytes; send shorter parts")
            }
            let recording = try decoded(Recording.self, payload, code: "invalid_recording")
            do throws(RecordingFault) {
                try RecordingReplay.check(recording)
            } catch {
                throw Refusal(code: error.code, reason: error.description)
            }
        case .session:
            _ = try decoded(Session.self, payload, code: "invalid_session")
        case .network:
            try checkNetwork(payload)
        case .capabilities:
            _ = try decoded(CapabilityReport.self, payload, code: "invalid_capabilities")
        case ItemKind(rawValue: DiagnosticEntry.kind):
            throw Refusal(code: "invalid_item", reason: "items of this kind are the service's own")
        default:
            break
        }
        return nil
    }

    private func checkNetwork(_ payload: JSONFinding) throws(Refusal) {
        do {
            _ = try ModelCoding.decode(NetworkRequestEvent.self, from: Data(payload.slice))
        } catch let refused as UnsupportedNetworkSchema {
            let unsupported = RefusedSchema(refused, scrubber)
            throw Refusal(
                code: NetworkSchemaDiagnostic.code,
                reason: "network records of schema version \(unsupported.told) are not read here, only those of 0 to "
                    + "\(NetworkSchema.supportedVersion); update the server",
                unsupported: unsupported)
        } catch {
            throw Refusal(code: "invalid_network", reason: Self.describe(error))
        }
    }

    private func checked(_ payload: JSONFinding) throws(Refusal) -> CrashedBuild? {
        let head: EventHead
        do {
            head = try EventHead(payload)
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
        return CrashedBuild(head) { text in
            scrubber.scrub(text: Data(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
        }
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type, _ payload: JSONFinding, code: String
    ) throws(Refusal) -> Value {
        do {
            return try ModelCoding.decode(type, from: Data(payload.slice))
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
        if Value.self == String.self { return finding.text as? Value }
        return try? ModelCoding.decode(type, from: Data(finding.slice))
    }
}
