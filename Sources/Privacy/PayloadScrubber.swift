// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import JSONScan

/// Takes secrets out of a JSON document, straight in its bytes: every text, and every text and number
/// under a name that stands for a secret. Names of members stay.
package struct PayloadScrubber: Sendable {
    /// What a document is, as far as it matters here.
    package enum Kind: Sendable {
        /// Names of functions are no texts, nor is captured memory: that is not stored readable.
        case event
        /// Its `data` is a file in base64.
        case attachment
        /// A network record: its addresses lose what a rule of their own takes out of them.
        case network
        case other
    }

    package struct Malformed: Error {}

    private static let deepest = 128

    private let text: TextScrubber
    private let plan: ScrubPlan
    private let document: ScanTree
    private let batch: ScanTree

    /// Of a payload's `user`, the fields of these names are taken out whatever they hold.
    package init(_ plan: ScrubPlan, droppedUserFields: Set<String> = []) {
        self.plan = plan
        text = TextScrubber(plan)
        let payload = PayloadPlaces.of(droppedUserFields: droppedUserFields)
        document = ScanTree(payload)
        batch = ScanTree(.object(["items": .array(["payload": payload])]))
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

    /// Of one address; nil where nothing is taken out.
    package func scrub(address data: Data) -> Data? {
        let short = plan.shortensAddresses ? AddressParts.shortened([UInt8](data)).map { Data($0) } : nil
        return scrub(text: short ?? data) ?? short
    }

    package func scrub(_ document: Data, _ kind: Kind) throws(Malformed) -> Data {
        let scan: JSONScan
        do throws(JSONScan.Fault) {
            scan = try JSONScan(
                [UInt8](document), deepest: Self.deepest, rules: plan.scanRules, places: self.document)
        } catch {
            throw Malformed()
        }
        let edits = try edits(of: 0..<scan.bytes.count, in: scan, kind)
        return edits.isEmpty ? document : edits.applied(to: scan.bytes, 0..<scan.bytes.count)
    }

    /// Looks at a batch, in whose items documents are. `tree` is what else is looked for in it.
    package func scan(batch bytes: [UInt8], deepest: Int, tree: ScanTree) throws(JSONScan.Fault) -> JSONScan {
        try JSONScan(bytes, deepest: deepest, tree: tree, rules: plan.scanRules, places: batch)
    }

    /// What is to be taken out of a document that is a part of what was looked at.
    package func edits(of range: Range<Int>, in scan: JSONScan, _ kind: Kind) throws(Malformed) -> PayloadEdits {
        var edits = PayloadEdits(scrubber: text, kind: kind, shortensAddresses: plan.shortensAddresses)
        for index in scan.suspectIndex(from: range.lowerBound)..<scan.suspectCount {
            let suspect = scan.suspect(index)
            guard suspect.range.lowerBound < range.upperBound else { break }
            try edits.look(at: suspect, in: scan.bytes)
        }
        return edits
    }
}
