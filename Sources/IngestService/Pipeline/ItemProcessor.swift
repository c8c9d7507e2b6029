// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import FoundationEssentials
import VakaModel

/// Works on one item at a time, on one thread.
final class ItemProcessor {
    private let store: any EventStore
    private let metrics: Metrics
    private let limits: ServiceLimits
    private let upstream: UpstreamImages?
    private let supplies: Pipeline.Supplies?
    private let worker: WorkerProcess
    private let throttle: EarlyThrottle
    private let examiner: EventExaminer
    private let log: Log

    init(
        store: any EventStore, metrics: Metrics, limits: ServiceLimits, malformed: MalformedImages,
        upstream: UpstreamImages?, supplies: Pipeline.Supplies?, throttle: EarlyThrottle, worker: WorkerProcess,
        log: Log
    ) {
        self.store = store
        self.metrics = metrics
        self.limits = limits
        self.upstream = upstream
        self.supplies = supplies
        self.throttle = throttle
        self.worker = worker
        self.log = log
        examiner = EventExaminer(
            worker: worker, metrics: metrics, limits: limits, malformed: malformed, images: supplies?.images, log: log)
    }

    func stop() {
        worker.stop()
    }

    /// Starts the worker where it is not running. Why it does not answer; nil when it does.
    func ping() -> String? {
        do {
            switch try worker.run(WorkerJob(kind: .ping), seconds: limits.workerSeconds) {
            case .reply: return nil
            case .died(let death): return death.reason
            }
        } catch {
            return "\(error)"
        }
    }

    /// Works on the next item; false when there is none.
    func step(mendFirst: Bool) throws -> Bool {
        if mendFirst, try mendNext() || sourceNext() { return true }
        if try spoolNext() { return true }
        return try mendNext() || sourceNext()
    }

    /// So many items are taken at once, which share a commit: after this time those that are done.
    private static let mostTaken = (items: 32, bytes: 8 << 20)
    private static let longestTaken = Duration.milliseconds(200)

    private func spoolNext() throws -> Bool {
        var waiting = try store.claimSpoolItems(most: Self.mostTaken.items, bytes: Self.mostTaken.bytes)[...]
        guard !waiting.isEmpty else { return false }
        var ready: [ProcessedEvent] = []
        var exchanges: [ReadyExchange] = []
        let begun = ContinuousClock.now
        defer { waiting.forEach { store.release(sequence: $0.sequence) } }
        do {
            while let item = waiting.first, ContinuousClock.now - begun < Self.longestTaken {
                let start = ContinuousClock.now
                do {
                    if let exchange = exchange(of: item) {
                        exchanges.append(exchange)
                    } else if let event = try work(on: item) {
                        ready.append(event)
                    }
                } catch is ImagesAway {
                    supplies?.held.hold(item)
                }
                metrics.digested(seconds: (ContinuousClock.now - start) / .seconds(1))
                waiting.removeFirst()
            }
            try complete(ready)
            ready = []
            if !exchanges.isEmpty { try store.complete(exchanges) }
        } catch {
            for exchange in exchanges { store.release(sequence: exchange.sequence) }
            for event in ready { if case .spool(let sequence) = event.source { store.release(sequence: sequence) } }
            throw error
        }
        return true
    }

    private func complete(_ events: [ProcessedEvent]) throws {
        guard !events.isEmpty else { return }
        if events.count > 1, let outcomes = try? store.complete(events) {
            for (event, outcome) in zip(events, outcomes) { record(outcome, of: event, mended: false) }
        } else {
            // One that cannot be stored does not hold up the others.
            for event in events { record(try store.complete(event), of: event, mended: false) }
        }
        upstream?.want(Set(events.flatMap(\.waitingFor)).sorted())
    }

    private func mendNext() throws -> Bool {
        guard supplies?.images.vault.blobs.isAway != true, let item = try store.claimMendItem() else { return false }
        do {
            try mend(item)
        } catch is ImagesAway {
            store.release(eventRow: item.eventRow)
            return false
        } catch {
            store.release(eventRow: item.eventRow)
            throw error
        }
        return true
    }

    private func sourceNext() throws -> Bool {
        guard supplies?.images.vault.blobs.isAway != true, let item = try store.claimSourceItem() else { return false }
        do {
            try attachSources(item)
        } catch is ImagesAway {
            store.release(eventRow: item.eventRow)
            return false
        } catch {
            store.release(eventRow: item.eventRow)
            throw error
        }
        return true
    }

    /// A bundle that came late: the stored document gets its lines, and nothing else of the event changes.
    private func attachSources(_ item: SourceItem) throws {
        guard let document = try? Zstandard.decompress(item.document),
            let (waitingFor, body) = try sources(of: document, item.imageRevision)
        else {
            log.warning(
                "sources_not_attached", "source lines could not be attached to an event; it stays as it was")
            return try store.dismiss(item)
        }
        try store.complete(item, document: try Zstandard.compress(body), waitingFor: waitingFor)
        metrics.add(.eventsMended)
    }

    /// The document with its lines, and the images whose bundles would tell more.
    private func sources(of document: Data, _ revision: Int64) throws -> ([String], Data)? {
        var isFirst = true
        let lease = supplies.map { VaultLease($0.images.vault) }
        while true {
            var job = WorkerJob(kind: .sources, imageRevision: revision)
            job.imageGeneration = supplies?.images.vault.generation ?? 0
            guard case .reply(let reply, let body) = try worker.run(job, body: document, seconds: limits.workerSeconds),
                let waitingFor = reply.waitingForSources
            else { return nil }
            guard let supplies, let lease, isFirst else { return (waitingFor, body) }
            switch try supplies.images.supply(waitingFor, revision: revision, lease) {
            case .nothing: return (waitingFor, body)
            case .came: isFirst = false
            case .noAnswer(let reason, _): throw ImagesAway(reason: reason)
            }
        }
    }

    /// An event is given back, to be stored with others; items of other kinds are completed.
    private func work(on item: SpoolItem) throws -> ProcessedEvent? {
        let payload = (try? SpoolPayload.unpacked(item.entry.payload)) ?? Data("null".utf8)
        switch ItemKind(rawValue: item.entry.kind) {
        case .event:
            let own = try store.rateLimits(project: item.project)
            let rate = limits.rates.overridden(by: own).issueEvents
            let sketch = rate == nil ? nil : ProblemSketch(payload)
            if let counted = try throttle.counted(item, sketch, rate) { return counted }
            guard var processed = try process(payload, item, sketch) else {
                try setAside(item, payload)
                return nil
            }
            processed.storedPerMinute = rate
            return processed
        case .session:
            guard let session = try? ModelCoding.decode(Session.self, from: payload) else {
                try setAside(item, payload)
                return nil
            }
            try store.complete(
                session: session, installID: item.entry.installID, sequence: item.sequence, project: item.project)
        case .hangEnd:
            guard let end = try? ModelCoding.decode(HangEnd.self, from: payload) else {
                try setAside(item, payload)
                return nil
            }
            try store.complete(hangEnd: end, sequence: item.sequence, project: item.project)
        case .attachment:
            guard let attachment = try? ModelCoding.decode(EventAttachment.self, from: payload),
                let number = item.entry.itemID.split(separator: "-").last.flatMap({ Int($0) })
            else {
                try setAside(item, payload)
                return nil
            }
            try store.complete(
                attachment: attachment, number: number, sequence: item.sequence, project: item.project)
        case .recording:
            guard let recording = try? ModelCoding.decode(Recording.self, from: payload) else {
                try setAside(item, payload)
                return nil
            }
            let user = recording.userID.flatMap { Event.affectedUser(["id": .string($0)]) }
            let new = NewRecording(
                recording, itemID: item.entry.itemID, installID: item.entry.installID, user: user,
                receivedAt: item.receivedAt, document: try Zstandard.compress(payload))
            try store.complete(recording: new, sequence: item.sequence, project: item.project)
        case .clientReport:
            let counts = ClientReport.counts(payload)
            try store.complete(clientReport: counts, sequence: item.sequence, project: item.project)
        // A network record that could be read is completed with others.
        case .network: try setAside(item, payload)
        case .capabilities, ItemKind(rawValue: DiagnosticEntry.kind):
            if try !completeTold(item, payload) { try setAside(item, payload) }
        default:
            try keep(item, payload)
        }
        return nil
    }

    /// Nil of an item of another kind, and of a record that cannot be read: it was when it came, by a version that knew more.
    private func exchange(of item: SpoolItem) -> ReadyExchange? {
        guard item.entry.kind == ItemKind.network.rawValue,
            let payload = try? SpoolPayload.unpacked(item.entry.payload),
            let record = try? ModelCoding.decode(NetworkRequestEvent.self, from: payload)
        else { return nil }
        return ReadyExchange(
            sequence: item.sequence, project: item.project, itemID: item.entry.itemID, installID: item.entry.installID,
            receivedAt: item.receivedAt, record: NetworkRedaction.redacted(record))
    }

    /// False where the payload cannot be read.
    private func completeTold(_ item: SpoolItem, _ payload: Data) throws -> Bool {
        guard item.entry.kind == ItemKind.capabilities.rawValue else {
            guard let diagnostic = DiagnosticEntry.diagnostic(payload, item) else { return false }
            try store.complete(diagnostic: diagnostic, sequence: item.sequence, project: item.project)
            return true
        }
        guard let report = try? ModelCoding.decode(CapabilityReport.self, from: payload) else { return false }
        try store.complete(
            capabilities: report, installID: item.entry.installID, receivedAt: item.receivedAt, sequence: item.sequence,
            project: item.project)
        return true
    }

    private func keep(_ item: SpoolItem, _ payload: Data) throws {
        var item = item
        item.entry.payload = try SpoolPayload.settled(item.entry.payload, payload: payload)
        try store.keep(item)
    }

    /// What cannot be read is kept as it came, and does not hold up what comes next.
    private func setAside(_ item: SpoolItem, _ payload: Data) throws {
        let (kind, id) = (item.entry.kind, String(item.entry.itemID.prefix(40)))
        log.warning(
            "item_set_aside", "an item of the kind \"\(kind)\" cannot be read and is set aside: \(id)",
            ["kind": .string(kind), "id": .string(id)])
        metrics.add(.itemsSetAside)
        try keep(item, payload)
    }

    private func process(_ payload: Data, _ item: SpoolItem, _ sketch: ProblemSketch?) throws -> ProcessedEvent? {
        let mayWait = supplies?.held.mayWait(item) ?? false
        guard let answer = try examiner.answer(payload, revision: item.imageRevision, mayWait: mayWait) else {
            return nil
        }
        if answer.summary.isRepaired { metrics.add(.itemsRepaired) }
        var event = try ProcessedEvent(
            .spool(sequence: item.sequence), item.project, item.receivedAt, item.imageRevision, answer,
            report: SpoolPayload.settled(item.entry.payload, payload: payload), installID: item.entry.installID)
        event.installID = item.entry.installID
        if let sketch, !answer.failed { throttle.learn(event, sketch) }
        return event
    }

    /// The report as it came, symbolicated again under the same event's id.
    private func mend(_ item: MendItem) throws {
        guard let payload = try? Zstandard.decompress(item.report),
            let answer = try examiner.answer(payload, revision: item.imageRevision, mayWait: true)
        else { return try store.dismiss(eventRow: item.eventRow) }
        // A failure now must not spoil what was stored before.
        guard !answer.failed else { return try store.dismiss(eventRow: item.eventRow) }
        let event = try ProcessedEvent(
            .mend(eventRow: item.eventRow), item.project, item.receivedAt, item.imageRevision, answer,
            report: item.report)
        record(try store.complete(event), of: event, mended: true)
    }

    private func record(_ outcome: StoreOutcome, of event: ProcessedEvent, mended: Bool) {
        if throttle.noted(outcome, of: event) { return }
        if outcome != .duplicate { metrics.add(mended ? .eventsMended : .eventsStored) }
        switch outcome {
        case .newIssue: metrics.add(.issuesCreated)
        case .folded: metrics.add(.issuesFolded)
        case .knownIssue, .split, .throttled, .duplicate, .unknownKeys: break
        }
    }
}
