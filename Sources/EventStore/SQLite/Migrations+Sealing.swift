// SPDX-License-Identifier: Apache-2.0

extension Migrations {
    /// How many bytes a sealed attachment has when it is opened; null of one that is not sealed.
    static let sealedAttachments = "ALTER TABLE attachments ADD COLUMN sealed_size INTEGER"
}
