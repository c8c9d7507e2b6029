// SPDX-License-Identifier: Apache-2.0
import EventStore
import Synchronization
import VakaModel

/// Removes what is kept for a time only: every hour, and when it is asked to. In small steps, each of which is whole by
/// itself: after a stop or a kill at any moment the next round goes on.
final class Housekeeping: Sendable {
    private let rounds = Rounds(every: 3600)
    /// Looks whether somebody asks for a round.
    private let watch = Rounds(every: 5)
    private let store: any EventStore
    private let uploads: UploadFolder
    private let limits: ServiceLimits
    private let metrics: Metrics
    private let log: Log
    private let lastRound = Mutex<Timestamp?>(nil)

    init(
        store: any EventStore, uploads: UploadFolder, limits: ServiceLimits, metrics: Metrics,
        log: Log
    ) {
        self.store = store
        self.uploads = uploads
        self.limits = limits
        self.metrics = metrics
        self.log = log
    }

    func start() {
        rounds.start { [self] in
            do {
                if try round() { lastRound.withLock { $0 = .now } }
            } catch {
                log.error(
                    "housekeeping_failed", "cannot remove what is too old: \(error)", ["reason": .string("\(error)")])
            }
        }
        watch.start { [self] in
            if let state = try? store.housekeeping(), state.asked > state.done { wake() }
        }
    }

    func stop() {
        watch.stop()
        rounds.stop()
    }

    /// A round begins soon, also where one is under way.
    func wake() {
        rounds.wake()
    }

    /// When a round last came to its end.
    var lastRoundEnded: Timestamp? { lastRound.withLock { $0 } }

    /// False when it was stopped before its end.
    private func round() throws -> Bool {
        metrics.add(.recordsForgotten, uploads.removeOld())
        var isOver = false
        _ = try store.alone(.housekeeping) { isOver = try removeRecords() }
        return isOver
    }

    private func removeRecords() throws -> Bool {
        let number = try store.beginHousekeeping()
        let removed = Removed()
        guard try removeRecords(removed) else { return false }
        try store.endHousekeeping(number, events: removed.events, records: removed.records)
        return true
    }

    /// In one round.
    private final class Removed {
        var events = 0
        var records = 0
    }

    private func removeRecords(_ all: Removed) throws -> Bool {
        let rules = RetentionRules(limits: limits, now: store.now)
        let steps = RetentionSteps(store: store, rest: rounds.rest)
        for records in rules.forEveryProject {
            let removed = try steps.forget(records)
            all.records += removed
            if case .reports = records {
                metrics.add(.reportsExpired, removed)
                if removed > 0 {
                    log.info(
                        "reports_dropped",
                        "dropped \(removed) reports that waited \(limits.reportDays) days for images",
                        ["reports": .integer(Int64(removed))])
                }
            } else {
                metrics.add(.recordsForgotten, removed)
            }
        }
        for project in try store.projects() {
            let retention = limits.retention.overridden(by: try store.retention(project: project.id))
            try keep(retention, of: project, rules, steps, all)
        }
        return !steps.isStopped
    }

    private func keep(
        _ retention: Retention, of project: Project, _ rules: RetentionRules, _ steps: RetentionSteps, _ all: Removed
    ) throws {
        for records in rules.records(of: project.id, retention) {
            let removed = try steps.forget(records)
            all.records += removed
            metrics.add(.recordsForgotten, removed)
        }
        if let days = retention.days {
            let old = try steps.removeEvents(.received(before: rules.time(daysAgo: days), project: project.id))
            all.events += old
            report(old, of: project, .eventsRemovedByAge, "that came more than \(days) days ago")
        }
        if let most = retention.issueEvents {
            var removed = 0
            for issue in try store.crowdedIssues(project: project.id, most: max(2, most)) {
                removed += try steps.removeEvents(.ofIssue(issue.issue), most: issue.stored - max(2, most))
            }
            all.events += removed
            report(removed, of: project, .eventsRemovedByNumber, "beyond \(most) of their issue")
        }
        if let most = retention.events {
            let excess = try store.keptEvents(project: project.id).stored - most
            let removed = excess > 0 ? try steps.removeEvents(.all(project: project.id), most: excess) : 0
            all.events += removed
            report(removed, of: project, .eventsRemovedByNumber, "beyond \(most) of the project")
        }
    }

    private func report(_ removed: Int, of project: Project, _ counter: Metrics.Counter, _ which: String) {
        metrics.add(counter, removed)
        guard removed > 0 else { return }
        log.info(
            "events_removed", "removed \(removed) events of the project \"\(project.slug)\" \(which)",
            ["project": .string(project.slug), "events": .integer(Int64(removed))])
    }
}
