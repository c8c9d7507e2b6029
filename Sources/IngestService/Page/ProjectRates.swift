// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// How much each project sends: all of them for who runs the server, else the one that is shown.
struct ProjectRates {
    private struct Row {
        var project: Project
        var hour: Int
        var day: Int
        var chart: Chart
        var limit: Int?
        var turnedAway: Quotas.TurnedAway
    }

    private static let most = 50

    private let rows: [Row]

    init(_ service: Service, _ request: HTTPRequest) throws {
        let isWhole = request.caller?.may(.server) == true
        let projects = isWhole ? try service.store.projects() : [try request.requireProject()]
        let now = service.store.now
        rows = try projects.prefix(Self.most).map { project in
            let hours = try Self.counts(service, project, .hour, back: 24, now)
            let hour = hours.filter { $0.start.milliseconds > now.milliseconds - 2 * CountUnit.hour.milliseconds }
            return Row(
                project: project, hour: hour.reduce(0) { $0 + $1.events }, day: hours.reduce(0) { $0 + $1.events },
                chart: Chart(try Self.counts(service, project, .day, back: 14, now), days: 14, now: now),
                limit: try service.rateLimits(project).projectItems,
                turnedAway: service.quotas.turnedAway(project: project.id))
        }
    }

    private static func counts(
        _ service: Service, _ project: Project, _ unit: CountUnit, back: Int64, _ now: Timestamp
    ) throws -> [EventCount] {
        try service.store.counts(
            project: project.id, issue: nil, unit: unit,
            from: Timestamp(milliseconds: now.milliseconds - (back - 1) * unit.milliseconds),
            to: Timestamp(milliseconds: now.milliseconds + 1))
    }

    var content: HTML {
        PageTable(
            heads: [
                "Project", "14 days", "Events of this hour and the last", "Of 24 hours", "Items a minute, at most",
                "Turned away",
            ],
            rows: rows.map { row in
                PageTable.row(
                    .text(row.project.slug), row.chart.spark, .text(String(row.hour)), .text(String(row.day)),
                    .text(row.limit.map(String.init) ?? "no limit"), .text(Words.count(row.turnedAway.items, "item")))
            }
        ).under("What projects send")
    }
}
