// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import JSONScan
import Privacy
import VakaModel

/// A JSON text: walked with and without the processor's vectors, and by the lexer that reads values; then its secrets are
/// taken out.
enum DocumentInput {
    private static let tree = ScanTree(
        .object([
            "items": .array(["kind": .value, "payload": .object(["id": .value])], most: 4),
            "user": .object(["id": .value]),
        ]))

    static func run(_ bytes: [UInt8]) {
        let scan = try? JSONScan(bytes, deepest: 64, tree: tree)
        let plain = try? JSONScan(bytes, deepest: 64, tree: tree, isPlain: true)
        precondition((scan == nil) == (plain == nil), "vectors make a difference")
        precondition((scan != nil) == isDocument(bytes), "the lexer finds otherwise")
        guard let scan else { return }
        precondition(scan.document.range.upperBound <= bytes.count, "beyond the end")
        for item in scan.document["items"]?.elements ?? [] { _ = item["payload"]?["id"]?.slice }
        for kind in [PayloadScrubber.Kind.event, .attachment, .network, .other] { scrub(Data(bytes), kind) }
    }

    private static func isDocument(_ bytes: [UInt8]) -> Bool {
        var lexer = JSONLexer(bytes, deepest: 64)
        lexer.skipSpace()
        guard (try? lexer.skipValue(depth: 0)) != nil else { return false }
        lexer.skipSpace()
        return lexer.isAtEnd
    }

    private static func scrub(_ document: Data, _ kind: PayloadScrubber.Kind) {
        let scrubber = PayloadScrubber(.usual, droppedUserFields: ["email"])
        guard let scrubbed = try? scrubber.scrub(document, kind) else { return }
        precondition(isDocument([UInt8](scrubbed)), "what is left is no document")
        // Of a file that is no text, what is overwritten may leave one, which is then read as such.
        guard kind != .attachment else { return }
        precondition((try? scrubber.scrub(scrubbed, kind)) == scrubbed, "not all is taken out at once")
    }
}
