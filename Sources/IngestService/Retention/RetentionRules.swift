// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// What a round of housekeeping removes beside events.
struct RetentionRules {
    let limits: ServiceLimits
    let now: Timestamp

    func time(daysAgo days: Int) -> Timestamp {
        Timestamp(milliseconds: now.milliseconds - Int64(days) * CountUnit.day.milliseconds)
    }

    var forEveryProject: [PassingRecords] {
        [
            .reports(before: time(daysAgo: limits.reportDays)), .waiting(before: time(daysAgo: limits.reportDays)),
            .acceptedItems(before: time(daysAgo: limits.repeatDays)),
            .looseParts(before: time(daysAgo: limits.looseDays)),
        ]
    }

    func records(of project: Int64, _ retention: Retention) -> [PassingRecords] {
        let always: [PassingRecords] = [
            .builds(before: time(daysAgo: limits.buildDays), project: project),
            .buildsBeyond(most: limits.mostRecords, project: project),
            .otherItemsBeyond(most: limits.mostRecords, project: project),
            .exchangesBeyond(most: limits.mostRecords, project: project),
            .capabilitiesBeyond(most: limits.mostRecords, project: project),
            .diagnosticsBeyond(most: limits.mostRecords, project: project),
            .recordingsBeyond(most: limits.mostRecordings, project: project),
        ]
        guard let days = retention.days else { return always }
        return always + [
            .otherItems(before: time(daysAgo: days), project: project),
            .sessions(before: time(daysAgo: days), project: project),
            .exchanges(before: time(daysAgo: days), project: project),
            .capabilities(before: time(daysAgo: days), project: project),
            .diagnostics(before: time(daysAgo: days), project: project),
            .recordings(before: time(daysAgo: days), project: project),
        ]
    }
}
