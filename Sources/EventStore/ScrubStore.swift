// SPDX-License-Identifier: Apache-2.0

/// What projects say about secrets in their events.
package protocol ScrubStore: Sendable {
    /// A JSON object; nil where the project says nothing.
    func scrubSettings(project: Int64) throws(StoreError) -> String?
    func set(scrubSettings: String, project: Int64) throws(StoreError)
}
