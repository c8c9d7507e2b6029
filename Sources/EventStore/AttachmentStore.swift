// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Files that belong to events; they may come before their event.
package protocol AttachmentStore: Sendable {
    /// Keeps it under its number; what is there already stays. Removes the spool's row.
    func complete(attachment: EventAttachment, number: Int, sequence: Int64, project: Int64) throws(StoreError)
    /// Without their data, by number.
    func attachments(project: Int64, event: String) throws(StoreError) -> [StoredAttachment]
    /// With its data.
    func attachment(project: Int64, event: String, number: Int) throws(StoreError) -> EventAttachment?
}

/// An attachment in a list.
package struct StoredAttachment: Hashable, Sendable {
    package var number: Int
    /// `data` is nil, whether there is any or not.
    package var attachment: EventAttachment
    /// Bytes that are there.
    package var kept: Int
}
