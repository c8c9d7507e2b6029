// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// How hangs ended, which is told after them.
package protocol HangStore: Sendable {
    /// Keeps it, also where the hang's event is not there yet; that it recovered stays. Removes the spool's row.
    func complete(hangEnd: HangEnd, sequence: Int64, project: Int64) throws(StoreError)
    /// Nil while nothing is known of its end.
    func hangEnd(project: Int64, event: String) throws(StoreError) -> HangEnd?
}
