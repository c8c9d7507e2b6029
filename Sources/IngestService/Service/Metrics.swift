// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts since the start.
final class Metrics: Sendable {
    enum Counter: String, CaseIterable {
        case itemsAccepted = "vaka_items_accepted_total"
        case itemsRejected = "vaka_items_rejected_total"
        case itemsRepaired = "vaka_items_repaired_total"
        case itemsSetAside = "vaka_items_set_aside_total"
        case batchesDeferred = "vaka_batches_deferred_total"
        case batchesTurnedAway = "vaka_batches_turned_away_total"
        case itemsTurnedAway = "vaka_items_turned_away_total"
        case eventsThrottled = "vaka_events_throttled_total"
        case eventsStored = "vaka_events_stored_total"
        case eventsMended = "vaka_events_mended_total"
        case eventsUnsymbolicated = "vaka_events_unsymbolicated_total"
        case eventsRemovedByAge = "vaka_events_removed_total{rule=\"age\"}"
        case eventsRemovedByNumber = "vaka_events_removed_total{rule=\"number\"}"
        case eventsRemovedByBudget = "vaka_events_removed_total{rule=\"disk_budget\"}"
        case reportsGivenUp = "vaka_reports_given_up_total"
        case attachmentsGivenUp = "vaka_attachments_given_up_total"
        case reportsExpired = "vaka_reports_expired_total"
        case recordsForgotten = "vaka_records_forgotten_total"
        case issuesCreated = "vaka_issues_created_total"
        case issuesFolded = "vaka_issues_folded_total"
        case packagesStored = "vaka_packages_stored_total"
        case bundlesStored = "vaka_source_bundles_stored_total"
        case imagesStored = "vaka_images_stored_total"
        case imagesRemoved = "vaka_images_removed_total"
        case imagesFetched = "vaka_images_fetched_total"
        case imagesMalformed = "vaka_images_malformed_total"
        case workerStarts = "vaka_worker_starts_total"
        case workerDeaths = "vaka_worker_deaths_total"
    }

    private struct State {
        var counters: [Counter: Int] = [:]
        var answers: [Int: Int] = [:]
    }

    private let state = Mutex(State())

    func add(_ counter: Counter, _ amount: Int = 1) {
        guard amount > 0 else { return }
        state.withLock { $0.counters[counter, default: 0] += amount }
    }

    /// Counts an answer by its status.
    func count(_ status: Int) {
        state.withLock { $0.answers[status, default: 0] += 1 }
    }

    /// In Prometheus's text format.
    func text(gauges: [(name: String, value: Double)]) -> String {
        let state = state.withLock { $0 }
        var lines: [String] = []
        var typed: Set<Substring> = []
        for counter in Counter.allCases {
            let name = counter.rawValue.prefix { $0 != "{" }
            if typed.insert(name).inserted { lines.append("# TYPE \(name) counter") }
            lines.append("\(counter.rawValue) \(state.counters[counter] ?? 0)")
        }
        lines.append("# TYPE vaka_http_responses_total counter")
        for (status, count) in state.answers.sorted(by: { $0.key < $1.key }) {
            lines.append("vaka_http_responses_total{status=\"\(status)\"} \(count)")
        }
        for gauge in gauges {
            lines.append("# TYPE \(gauge.name) gauge")
            lines.append("\(gauge.name) \(gauge.value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
