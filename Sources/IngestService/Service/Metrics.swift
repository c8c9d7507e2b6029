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
        /// Of those: before anything was symbolicated.
        case eventsThrottledEarly = "vaka_events_throttled_early_total"
        case eventsStored = "vaka_events_stored_total"
        case eventsMended = "vaka_events_mended_total"
        case eventsUnsymbolicated = "vaka_events_unsymbolicated_total"
        case eventsRemovedByAge = "vaka_events_removed_total{rule=\"age\"}"
        case eventsRemovedByNumber = "vaka_events_removed_total{rule=\"number\"}"
        case eventsRemovedByBudget = "vaka_events_removed_total{rule=\"disk_budget\"}"
        case reportsGivenUp = "vaka_reports_given_up_total"
        case recordingsGivenUp = "vaka_recordings_given_up_total"
        case attachmentsGivenUp = "vaka_attachments_given_up_total"
        case exchangesGivenUp = "vaka_network_records_given_up_total"
        case reportsExpired = "vaka_reports_expired_total"
        case recordsForgotten = "vaka_records_forgotten_total"
        case issuesCreated = "vaka_issues_created_total"
        case issuesFolded = "vaka_issues_folded_total"
        case packagesStored = "vaka_packages_stored_total"
        case bundlesStored = "vaka_source_bundles_stored_total"
        case imagesStored = "vaka_images_stored_total"
        case imagesRemoved = "vaka_images_removed_total"
        case imagesFetched = "vaka_images_fetched_total"
        case imagesBrought = "vaka_images_brought_total"
        case imagesGivenUp = "vaka_images_given_up_total"
        case blobRequestsDone = "vaka_blob_requests_total{outcome=\"done\"}"
        case blobRequestsFailed = "vaka_blob_requests_total{outcome=\"failed\"}"
        case imagesMalformed = "vaka_images_malformed_total"
        case alertsDelivered = "vaka_alerts_total{outcome=\"delivered\"}"
        case alertsRetried = "vaka_alerts_total{outcome=\"retried\"}"
        case alertsGivenUp = "vaka_alerts_total{outcome=\"given_up\"}"
        case coresMade = "vaka_cores_made_total"
        /// Of 50 ms each.
        case pipelinePauses = "vaka_pipeline_pauses_total"
        case workerStarts = "vaka_worker_starts_total"
        case workerDeaths = "vaka_worker_deaths_total"
    }

    private struct State {
        var counters: [Counter: Int] = [:]
        var answers: [Int: Int] = [:]
        /// By the code that the sender is told.
        var batchesRefused: [String: Int] = [:]
        var itemsRefused: [String: Int] = [:]
        var requests: [RouteClass: Histogram] = [:]
        var digesting = Histogram()
    }

    private let state = Mutex(State())

    func add(_ counter: Counter, _ amount: Int = 1) {
        guard amount > 0 else { return }
        state.withLock { $0.counters[counter, default: 0] += amount }
    }

    /// Counts an answer, `seconds` after its request began.
    func count(_ response: HTTPResponse, to kind: RouteClass, seconds: Double) {
        state.withLock { state in
            state.answers[response.status, default: 0] += 1
            state.requests[kind, default: Histogram()].add(seconds)
            if kind == .ingest, let code = response.refusal { state.batchesRefused[code, default: 0] += 1 }
        }
    }

    /// Counts an item that was not accepted, by the code that its sender is told.
    func refuse(item code: String) {
        state.withLock { $0.itemsRefused[code, default: 0] += 1 }
    }

    /// Counts an item that was worked on.
    func digested(seconds: Double) {
        state.withLock { $0.digesting.add(seconds) }
    }

    /// Those that have a name of ours.
    var counts: [(name: String, value: Int)] {
        let counters = state.withLock { $0.counters }
        return Counter.allCases.map { ($0.rawValue, counters[$0] ?? 0) }
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
        let answers = state.answers.map { (String($0.key), $0.value) }
        lines += Self.labelled("vaka_http_responses_total", "status", answers)
        lines += Self.labelled("vaka_batches_refused_total", "reason", state.batchesRefused.map { ($0.key, $0.value) })
        lines += Self.labelled("vaka_items_refused_total", "reason", state.itemsRefused.map { ($0.key, $0.value) })
        lines.append("# TYPE vaka_digest_seconds histogram")
        lines += state.digesting.lines("vaka_digest_seconds", labels: "")
        lines.append("# TYPE vaka_http_request_seconds histogram")
        for kind in RouteClass.allCases {
            lines += (state.requests[kind] ?? Histogram()).lines(
                "vaka_http_request_seconds", labels: "route=\"\(kind.rawValue)\"")
        }
        for gauge in gauges {
            lines.append("# TYPE \(gauge.name) gauge")
            lines.append("\(gauge.name) \(gauge.value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The values of the label are words of ours, which need no escapes.
    private static func labelled(_ name: String, _ label: String, _ counts: [(String, Int)]) -> [String] {
        ["# TYPE \(name) counter"]
            + counts.sorted { $0.0 < $1.0 }.map { "\(name){\(label)=\"\($0.0)\"} \($0.1)" }
    }
}
