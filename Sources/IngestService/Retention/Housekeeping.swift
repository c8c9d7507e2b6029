// SPDX-License-Identifier: Apache-2.0
import EventStore
import Synchronization
import VakaModel

/// Removes what is kept for a time only: every hour, and when it is asked to. In small steps, each of which is whole by
/// itself: after a stop or a kill at any moment the next round goes on.
final class Housekeeping: Sendable {
    private struct State {
        var stopping = false
        var isAsked = false
    }

    private static let pause = 3600.0

    private let state = Monitor(State())
    private let store: any EventStore
    private let uploads: UploadFolder
    private let limits: ServiceLimits
    private let metrics: Metrics
    private let log: @Sendable (String) -> Void
    private let lastRound = Mutex<Timestamp?>(nil)

    init(
        store: any EventStore, uploads: UploadFolder, limits: ServiceLimits, metrics: Metrics,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.uploads = uploads
        self.limits = limits
        self.metrics = metrics
        self.log = log
    }

    func start() {
        startThread { [self] in run() }
    }

    func stop() {
        state.update { $0.stopping = true }
    }

    /// A round begins soon, also where one is under way.
    func wake() {
        state.update { $0.isAsked = true }
    }

    /// When a round last came to its end.
    var lastRoundEnded: Timestamp? { lastRound.withLock { $0 } }

    private func run() {
        while true {
            state.withLock { $0.isAsked = false }
            do {
                if try round() { lastRound.withLock { $0 = .now } }
            } catch {
                log("cannot remove what is too old: \(error)")
            }
            let stops = state.wait(seconds: Self.pause) { $0.stopping ? true : $0.isAsked ? false : nil }
            if stops == true { return }
        }
    }

    /// False when it was stopped before its end.
    private func round() throws -> Bool {
        let rules = RetentionRules(limits: limits, now: .now)
        let steps = RetentionSteps(store: store) { [state] seconds in
            state.wait(seconds: seconds) { $0.stopping ? true : nil } == nil
        }
        for records in rules.forEveryProject {
            let removed = try steps.forget(records)
            if case .reports = records {
                metrics.add(.reportsExpired, removed)
                if removed > 0 { log("dropped \(removed) reports that waited \(limits.reportDays) days for images") }
            } else {
                metrics.add(.recordsForgotten, removed)
            }
        }
        metrics.add(.recordsForgotten, uploads.removeOld())
        for project in try store.projects() {
            let retention = limits.retention.overridden(by: try store.retention(project: project.id))
            try keep(retention, of: project, rules, steps)
        }
        return !steps.isStopped
    }

    private func keep(
        _ retention: Retention, of project: Project, _ rules: RetentionRules, _ steps: RetentionSteps
    ) throws {
        for records in rules.records(of: project.id, retention) {
            metrics.add(.recordsForgotten, try steps.forget(records))
        }
        if let days = retention.days {
            let old = try steps.removeEvents(.received(before: rules.time(daysAgo: days), project: project.id))
            report(old, of: project, .eventsRemovedByAge, "that came more than \(days) days ago")
        }
        if let most = retention.issueEvents {
            var removed = 0
            for issue in try store.crowdedIssues(project: project.id, most: max(2, most)) {
                removed += try steps.removeEvents(.ofIssue(issue.issue), most: issue.stored - max(2, most))
            }
            report(removed, of: project, .eventsRemovedByNumber, "beyond \(most) of their issue")
        }
        if let most = retention.events {
            let excess = try store.keptEvents(project: project.id).stored - most
            let removed = excess > 0 ? try steps.removeEvents(.all(project: project.id), most: excess) : 0
            report(removed, of: project, .eventsRemovedByNumber, "beyond \(most) of the project")
        }
    }

    private func report(_ removed: Int, of project: Project, _ counter: Metrics.Counter, _ which: String) {
        metrics.add(counter, removed)
        if removed > 0 { log("removed \(removed) events of the project \"\(project.slug)\" \(which)") }
    }
}
