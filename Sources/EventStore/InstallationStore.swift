// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What became of the batches of each installation: those that came, that came again, and that never came; and what the
/// project wants of its programs.
package protocol InstallationStore: Sendable {
    /// By the time they were last heard of, the latest first.
    func installations(project: Int64, after: Cursor?, limit: Int) throws(StoreError) -> Page<Installation>
    /// The settings for the project's programs, a JSON object; nil where none were set.
    func settings(project: Int64) throws(StoreError) -> String?
    func set(settings: String, project: Int64) throws(StoreError)
}
