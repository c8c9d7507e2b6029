// SPDX-License-Identifier: Apache-2.0
package import EventStore
import FoundationEssentials
package import VakaModel

/// Looks for what no single event tells: issues that suddenly have many events, and releases whose sessions crash more than
/// those before. Each is told once a day.
package struct AlertWatch: Sendable {
    /// Events of an issue within an hour, at least, and how many times the usual.
    static let spike = (events: 20, times: 10.0)
    /// Sessions of a release within a day, at least, and by how much the share without a crash falls.
    static let drop = (sessions: 100, share: 0.01)
    /// What is usual is what was in so many days.
    private static let days: Int64 = 7

    /// An hour and a day are looked at for so long after their end, for what came in their last moments.
    private static let grace: Int64 = 300_000

    private let store: any EventStore

    package init(store: any EventStore) {
        self.store = store
    }

    /// How many alerts were made.
    package func round(now: Timestamp) throws(StoreError) -> Int {
        try spikes(now) + drops(now)
    }

    private func spikes(_ now: Timestamp) throws(StoreError) -> Int {
        let from = Self.start(now, .hour)
        let since = Timestamp(milliseconds: from.milliseconds - Self.days * CountUnit.day.milliseconds)
        var made = 0
        for issue in try store.busyIssues(since: since, from: from, to: now, least: Self.spike.events)
        where Double(issue.events) >= Self.spike.times * max(1, issue.usual) {
            made += try store.addAlerts(
                AlertSubject(
                    kind: .spike, project: issue.project, issue: issue.issue,
                    onceKey: "spike:\(issue.issue):\(Self.start(now, .day))", title: issue.title,
                    details: [
                        "events": .integer(Int64(issue.events)), "since": .string("\(from)"),
                        "usual_events_an_hour": .number(issue.usual),
                    ], at: now), only: nil)
        }
        return made
    }

    private func drops(_ now: Timestamp) throws(StoreError) -> Int {
        var made = 0
        for project in try store.projects() {
            let targets = try store.alertTargets(project: project.id)
            guard targets.contains(where: { $0.kinds.contains(.crashFreeDrop) }) else { continue }
            made += try drops(project, now)
        }
        return made
    }

    private func drops(_ project: Project, _ now: Timestamp) throws(StoreError) -> Int {
        let day = CountUnit.day.milliseconds
        let today = Self.start(now, .day)
        let since = Timestamp(milliseconds: today.milliseconds - Self.days * day)
        let all = try store.health(project: project.id, release: nil, from: since, to: now)
        let before = all.filter { $0.day < today }
        let usual = Self.crashFree(before)
        guard before.reduce(0, { $0 + $1.sessions }) >= Self.drop.sessions, let usual else { return 0 }
        var made = 0
        for health in all where health.day == today && health.sessions >= Self.drop.sessions {
            guard let share = Self.crashFree([health]), share < usual - Self.drop.share else { continue }
            made += try store.addAlerts(
                AlertSubject(
                    kind: .crashFreeDrop, project: project.id, onceKey: "crash_free:\(health.release):\(today)",
                    title: health.release,
                    details: [
                        "release": .string(health.release), "sessions_today": .integer(Int64(health.sessions)),
                        "crash_free_today": .number(share), "crash_free_usual": .number(usual),
                    ], at: now), only: nil)
        }
        return made
    }

    private static func crashFree(_ health: [ReleaseHealth]) -> Double? {
        let sessions = health.reduce(0) { $0 + $1.sessions }
        let crashed = health.reduce(0) { $0 + $1.crashedSessions }
        return sessions == 0 ? nil : 1 - Double(crashed) / Double(sessions)
    }

    private static func start(_ now: Timestamp, _ unit: CountUnit) -> Timestamp {
        Timestamp(milliseconds: (now.milliseconds - grace) / unit.milliseconds * unit.milliseconds)
    }
}
