// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import VakaModel

/// An item as it is handed to the spool.
package struct SpoolEntry: Hashable, Sendable {
    package var kind: String
    package var itemID: String
    package var payload: Data
    /// The installation that sent it.
    package var installID: String?

    package init(kind: String, itemID: String, payload: Data, installID: String? = nil) {
        self.kind = kind
        self.itemID = itemID
        self.payload = payload
        self.installID = installID
    }
}

/// An item taken from the spool; it stays there until it is completed.
package struct SpoolItem: Sendable {
    package var sequence: Int64
    package var project: Int64
    package var entry: SpoolEntry
    package var receivedAt: Timestamp
    /// The newest image revision when it was taken: images that came later may have been missed.
    package var imageRevision: Int64
}

/// A stored event whose images may have come, with the report it was made from.
package struct MendItem: Sendable {
    package var eventRow: Int64
    package var project: Int64
    package var eventID: String
    package var report: Data
    package var receivedAt: Timestamp
    package var imageRevision: Int64
}

/// How full the spool is.
package struct SpoolState: Hashable, Sendable {
    package var items: Int
    package var bytes: Int
    package var oldest: Timestamp?
    /// Stored events that wait to be symbolicated again, or for their source lines.
    package var mending: Int
}

/// An item that nobody could make anything of, kept as it came.
package struct KeptItem: Hashable, Sendable {
    package var kind: String
    package var itemID: String
    package var receivedAt: Timestamp
    /// As it is kept.
    package var bytes: Int
}
