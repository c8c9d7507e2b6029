// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Whom projects tell of what, and what is to be told.
package protocol AlertStore: Sendable {
    func alertTargets(project: Int64) throws(StoreError) -> [AlertTarget]
    /// The target with its id.
    func addAlertTarget(_ target: AlertTarget) throws(StoreError) -> AlertTarget
    /// False where the project has no such target. What it was to be told is forgotten.
    func removeAlertTarget(_ id: Int64, project: Int64) throws(StoreError) -> Bool

    /// Makes an alert for each target of the project that is told of this kind (`only`: for this target alone, whatever it is
    /// told of), unless there is one of that key. How many were made.
    func addAlerts(_ subject: AlertSubject, only target: Int64?) throws(StoreError) -> Int
    /// Alerts that are due, the oldest first. Nobody else is given them before `lease`.
    func claimAlerts(most: Int, now: Timestamp, lease: Timestamp) throws(StoreError) -> [Alert]
    /// What came of an attempt; `next` nil when it is over.
    func finishAttempt(
        _ alert: Int64, state: Alert.State, error: String?, next: Timestamp?, now: Timestamp
    ) throws(StoreError)
    /// The newest first.
    func alerts(project: Int64, most: Int) throws(StoreError) -> [Alert]
    /// Done alerts of before this time; how many were removed.
    func removeAlerts(before: Timestamp) throws(StoreError) -> Int

    /// Issues with at least `least` events between `from` and `to`, and what they had in each hour on average between `since`
    /// and `from`.
    func busyIssues(
        since: Timestamp, from: Timestamp, to: Timestamp, least: Int
    ) throws(StoreError) -> [BusyIssue]
}

/// An issue with many events lately.
package struct BusyIssue: Hashable, Sendable {
    package var project: Int64
    package var issue: Int64
    package var title: String
    package var events: Int
    /// An hour, before.
    package var usual: Double
}
