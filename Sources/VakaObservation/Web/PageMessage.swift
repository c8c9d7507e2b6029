// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import VakaModel

/// What a page's script posts. Every part of it is a page's word.
package struct PageMessage: Decodable, Sendable {
    package enum Kind: String, Decodable, Sendable {
        /// What the page shows.
        case snapshot
        /// It waits for something to do.
        case poll
        /// What became of that.
        case result
        /// The document is left.
        case bye
    }

    package struct Element: Decodable, Sendable {
        var id: String
        var role: String
        var inputType: String?
        var label: String?
        var value: String?
        var redacted: Bool?
        var bounds: ElementBounds
        var enabled: Bool
        var visible: Bool
        var focused: Bool?
    }

    var kind: Kind
    var documentId: String
    var mainFrame: Bool
    var url: String
    var viewport: WebViewport?
    var elements: [Element]?
    var truncated: Bool?
    var commandId: Int?
    var failed: Bool?

    /// Nil for what is no message, and for one with names that are too long.
    package init?(_ bytes: [UInt8]) {
        guard let message = try? ModelCoding.decode(PageMessage.self, from: Data(bytes)),
            !message.documentId.isEmpty, message.documentId.utf8.count <= 128
        else { return nil }
        self = message
    }

    /// What of it a policy lets be told.
    package func snapshot(_ policy: WebViewPolicy, snapshotId: String) -> WebSnapshot {
        let elements = elements ?? []
        let kept = elements.filter { $0.id.utf8.count <= ObservationAction.longestElementId }.prefix(policy.maxElements)
        var reading = SnapshotReading()
        let told = kept.map { $0.told(policy, &reading) }
        let isCut = told.count < elements.count || reading.truncated || truncated == true
        return WebSnapshot(
            snapshotId: snapshotId, documentId: documentId, url: WebOrigin.withoutSecrets(url),
            origin: WebOrigin.of(url), viewport: viewport.flatMap { $0.isSound ? $0 : nil }, elements: told,
            truncated: isCut)
    }
}

extension PageMessage.Element {
    func told(_ policy: WebViewPolicy, _ reading: inout SnapshotReading) -> WebElement {
        let isSecret = policy.redactText || redacted == true || inputType?.lowercased() == "password"
        let holds = redacted == true || value?.isEmpty == false
        return WebElement(
            id: id, role: reading.text(role), inputType: inputType.map { reading.text($0) },
            label: label.map { reading.text($0) }, value: isSecret ? nil : value.map { reading.text($0) },
            redacted: isSecret && holds, bounds: bounds, enabled: enabled, visible: visible, focused: focused ?? false)
    }
}
