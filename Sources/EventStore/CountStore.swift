// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Numbers over time, and what events touched.
package protocol CountStore: Sendable {
    /// Events by hour or day, oldest first; units without events are left out. `issue` nil is the whole project.
    func counts(
        project: Int64, issue: Int64?, unit: CountUnit, from: Timestamp, to: Timestamp
    ) throws(StoreError) -> [EventCount]
    /// Of the issue's latest events, at most `limit`: how many by release and day, newest day first. Nil is no release.
    func releaseDays(project: Int64, issue: Int64, limit: Int) throws(StoreError) -> [ReleaseDay]
    /// The issue's releases, environments or users, those seen last first.
    func values(
        project: Int64, issue: Int64, kind: IssueValue.Kind, limit: Int
    ) throws(StoreError) -> [IssueValue]
    /// Sessions by release and day of their start, newest day first. `release` nil is every release.
    func health(project: Int64, release: String?, from: Timestamp, to: Timestamp) throws(StoreError) -> [ReleaseHealth]
    /// Of releases with any: issues that were first seen in them since a time, and those that came back in them and are not
    /// decided about since.
    func releaseIssues(project: Int64, since: Timestamp) throws(StoreError) -> [String: ReleaseIssues]
}
