// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Who did what, when and from where.
package struct AuditEntry: Sendable {
    package var id: Int64 = 0
    package var at: Timestamp
    /// A user's name, or a token's beginning.
    package var actor: String
    package var action: String
    /// What it was done to; nil where the action says it.
    package var target: String?
    package var project: Int64?
    /// The client's address; nil on the server itself.
    package var address: String?

    package init(
        at: Timestamp, actor: String, action: String, target: String? = nil, project: Int64? = nil,
        address: String? = nil
    ) {
        self.at = at
        self.actor = actor
        self.action = action
        self.target = target
        self.project = project
        self.address = address
    }
}
