// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Counts events of issues that have their minute's worth without looking into them: nothing is unwound or symbolicated.
struct EarlyThrottle: Sendable {
    let store: any EventStore
    let metrics: Metrics
    let countedOnly: CountedOnly
    private let problems = KnownProblems()

    init(store: any EventStore, metrics: Metrics, countedOnly: CountedOnly) {
        self.store = store
        self.metrics = metrics
        self.countedOnly = countedOnly
    }

    /// The event, to be counted only; nil where it is to be looked into.
    func counted(_ item: SpoolItem, _ sketch: ProblemSketch?, _ storedPerMinute: Int?) throws -> ProcessedEvent? {
        guard let sketch, let storedPerMinute,
            let known = problems.keys(of: sketch.key, project: item.project, imageRevision: item.imageRevision)
        else { return nil }
        let identity = sketch.identity
        var event = ProcessedEvent(
            source: .spool(sequence: item.sequence), project: item.project, eventID: identity.eventID,
            type: identity.type.rawValue, level: "", timestamp: identity.timestamp, receivedAt: item.receivedAt,
            release: sketch.release, environment: sketch.environment,
            user: sketch.user ?? item.entry.installID.map(Event.asUser(installation:)), title: "", culprit: nil,
            document: Data(), grouping: Data(), report: nil, memory: .none, waitingFor: [], keys: known.keys,
            groupingVersion: known.groupingVersion, basis: known.basis, imageRevision: item.imageRevision)
        event.installID = item.entry.installID
        event.storedPerMinute = storedPerMinute
        event.isCountedOnly = true
        return try store.isBeyondRate(event) ? event : nil
    }

    /// An event that was looked into.
    func learn(_ event: ProcessedEvent, _ sketch: ProblemSketch) {
        let keys = KnownProblems.Keys(
            keys: event.keys, groupingVersion: event.groupingVersion, basis: event.basis)
        problems.learn(keys, of: sketch.key, project: event.project, imageRevision: event.imageRevision)
    }

    /// True where the event was not stored for its rate, or is to be looked into after all.
    func noted(_ outcome: StoreOutcome, of event: ProcessedEvent) -> Bool {
        switch outcome {
        case .throttled:
            metrics.add(.eventsThrottled)
            if event.isCountedOnly { metrics.add(.eventsThrottledEarly) }
            countedOnly.add(project: event.project, installID: event.installID)
            return true
        case .unknownKeys:
            problems.forget(event.keys, project: event.project)
            return true
        default:
            return false
        }
    }
}
