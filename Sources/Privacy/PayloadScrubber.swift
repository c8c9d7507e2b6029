// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Takes secrets out of a JSON document that has been checked, straight in its bytes: every text, and every text and number
/// under a name that stands for a secret. Names of members stay.
package struct PayloadScrubber: Sendable {
    /// What a document is, as far as it matters here.
    package enum Kind: Sendable {
        /// Names of functions are no texts, nor is captured memory: that is not stored readable.
        case event
        /// Its `data` is a file in base64.
        case attachment
        case other
    }

    package struct Malformed: Error {}

    private let text: TextScrubber
    private let plan: ScrubPlan
    private let droppedUserFields: Set<String>

    /// Of an event's `user`, the fields of these names are taken out whatever they hold.
    package init(_ plan: ScrubPlan, droppedUserFields: Set<String> = []) {
        self.plan = plan
        text = TextScrubber(plan)
        self.droppedUserFields = droppedUserFields
    }

    /// Of a file, as it is; nil where nothing is taken out.
    package func scrub(file: Data) -> Data? {
        let bytes = [UInt8](file)
        return bytes.withUnsafeBufferPointer { text.scrub(file: $0) }.map { Data($0) }
    }

    /// Of one text; nil where nothing is taken out.
    package func scrub(text data: Data) -> Data? {
        let bytes = [UInt8](data)
        return bytes.withUnsafeBufferPointer { text.scrub($0) }.map { Data($0) }
    }

    package func scrub(_ document: Data, _ kind: Kind) throws(Malformed) -> Data {
        let edits = document.withUnsafeBytes { raw -> [PayloadWalk.Edit]? in
            var walk = PayloadWalk(
                bytes: raw.bindMemory(to: UInt8.self), kind: kind, scrubber: text, names: plan.names,
                droppedUserFields: droppedUserFields)
            return walk.run() ? walk.edits : nil
        }
        guard let edits else { throw Malformed() }
        guard !edits.isEmpty else { return document }
        var result = Data(capacity: document.count + edits.count * 32)
        var position = 0
        for edit in edits {
            result.append(document[(document.startIndex + position)..<(document.startIndex + edit.range.lowerBound)])
            result.append(contentsOf: edit.bytes)
            position = edit.range.upperBound
        }
        result.append(document[(document.startIndex + position)...])
        return result
    }
}
