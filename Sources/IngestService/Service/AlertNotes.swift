// SPDX-License-Identifier: Apache-2.0
import Alerts
import EventStore

/// Counts attempts to deliver alerts, and says which were given up. Addresses are not told: some are secrets.
struct AlertNotes: Sendable {
    let metrics: Metrics
    let log: Log

    @Sendable func take(_ outcome: AlertDispatcher.Outcome, _ alert: Alert) {
        switch outcome {
        case .delivered: metrics.add(.alertsDelivered)
        case .failed(_, isLast: false): metrics.add(.alertsRetried)
        case .failed(let reason, isLast: true):
            metrics.add(.alertsGivenUp)
            log.warning(
                "alert_given_up", "an alert was given up after \(alert.attempts + 1) attempts: \(reason)",
                [
                    "alert": .integer(alert.id), "target": .integer(alert.target.id),
                    "project": .string(alert.project.slug),
                ])
        }
    }
}
