// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension ItemKind {
    /// What the host has to say of its own state.
    package static let health = ItemKind(rawValue: "health")
}

extension BatchItem {
    package var isCrash: Bool { eventType == .crash }

    /// Made of a record, or of what a run left: neither an error nor a message.
    package var isReport: Bool { eventType.map { $0 != .error && $0 != .message } ?? false }

    private var eventType: EventType? {
        kind == .event ? payload["type"]?.string.map { EventType(rawValue: $0) } : nil
    }
}
