// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// Reading issues, events and releases.
package protocol IssueStore: Sendable {
    func issues(project: Int64, _ query: IssueQuery, after: Cursor?, limit: Int) throws(StoreError) -> Page<Issue>
    /// Follows the redirects of folded issues; nil when there is none.
    func issue(project: Int64, id: Int64) throws(StoreError) -> Issue?
    func events(project: Int64, issue: Int64, after: Cursor?, limit: Int) throws(StoreError) -> Page<EventSummary>
    /// The events of the same issue that came right before and after.
    func neighbours(of event: EventSummary, project: Int64) throws(StoreError) -> EventNeighbours
    func event(project: Int64, id: String) throws(StoreError) -> StoredEvent?
    /// Newest first, with what grouping made of each.
    func groupings(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [EventGrouping]
    /// The report that is kept of an event, in the service's compression; nil where it is kept no longer, or never was.
    func report(project: Int64, event id: String) throws(StoreError) -> Data?
    func releases(project: Int64, limit: Int) throws(StoreError) -> [Release]
}
