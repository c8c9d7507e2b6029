// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Grouping
import VakaModel

/// Has events symbolicated and grouped by a worker process, and makes the best of what ends it. Used by one thread.
final class EventExaminer {
    struct Answer {
        var summary: WorkerReply.Summary
        var document: Data
        var grouping: Data
        /// Symbolication failed: grouped as it came.
        var failed: Bool
    }

    private let worker: WorkerProcess
    private let metrics: Metrics
    private let limits: ServiceLimits
    private let malformed: MalformedImages
    private let images: EventImages?
    private let log: Log
    private var deaths = ImageDeaths()

    init(
        worker: WorkerProcess, metrics: Metrics, limits: ServiceLimits, malformed: MalformedImages,
        images: EventImages?,
        log: Log
    ) {
        self.worker = worker
        self.metrics = metrics
        self.limits = limits
        self.malformed = malformed
        self.images = images
        self.log = log
    }

    /// Deaths over images, for one event: each image may end two workers before it is left out.
    private static let mostImageDeaths = 16
    /// How often images are brought for one event: with some of them, the stack may go on into others.
    private static let mostSupplies = 4

    /// Two attempts to symbolicate, then grouping alone, then the event as it came; nil when it cannot even be read.
    /// Images over which two workers died are left out from then on, and do not count as attempts.
    ///
    /// - Parameter mayWait: where images cannot be had now, throws `ImagesAway`; else it is answered without them.
    func answer(_ payload: Data, revision: Int64, mayWait: Bool) throws -> Answer? {
        var (why, failures, imageDeaths, supplies) = ("", 0, 0, 0)
        var absence: [Loss] = []
        let lease = images.map { VaultLease($0.vault) }
        while failures < 2, imageDeaths < Self.mostImageDeaths {
            var job = WorkerJob(kind: .event, imageRevision: revision, loss: absence)
            job.imageGeneration = images?.vault.generation ?? 0
            switch try worker.run(job, body: payload, seconds: limits.workerSeconds) {
            case .reply(let reply, let body):
                if let summary = reply.summary {
                    supplies += 1
                    let lacks = summary.waitingFor + summary.waitingForSources
                    guard let images, let lease, absence.isEmpty, supplies < Self.mostSupplies else {
                        return Answer(summary, body, failed: false)
                    }
                    switch try images.supply(lacks, revision: revision, lease) {
                    case .nothing: return Answer(summary, body, failed: false)
                    case .came: continue
                    case .noAnswer(let reason, let buildIDs):
                        guard !mayWait else { throw ImagesAway(reason: reason) }
                        absence = [Self.unfetched(buildIDs, reason)]
                        buildIDs.forEach(images.wanted.add)
                        continue
                    }
                }
                why = reply.failure?.message ?? "no answer"
                failures += 1
            case .died(let death):
                why = death.reason
                guard let image = death.image else {
                    failures += 1
                    continue
                }
                imageDeaths += 1
                if deaths.isNoChance(image) { giveUp(image, death.reason) }
            }
        }
        log.warning(
            "event_not_symbolicated", "an event could not be symbolicated: \(why)", ["reason": .string(why)])
        metrics.add(.eventsUnsymbolicated)
        let loss = Loss(what: "symbolication", why: "the symbolicator failed twice on this event: \(why)")
        let job = WorkerJob(kind: .group, loss: [loss])
        if case .reply(let reply, let body) = try worker.run(job, body: payload, seconds: limits.workerSeconds),
            let summary = reply.summary
        {
            return Answer(summary, body, failed: true)
        }
        return try unexamined(payload, loss)
    }

    private static func unfetched(_ buildIDs: [BuildID], _ reason: String) -> Loss {
        Loss(
            what: "symbolication",
            why:
                "\(buildIDs.count) images were uploaded and could not be fetched (\(reason)): it is symbolicated again when they can"
        )
    }

    private func giveUp(_ image: String, _ reason: String) {
        log.warning(
            "image_given_up", "\(image) is not read any more: two workers ended over it: \(reason)",
            ["file": .string(image), "reason": .string(reason)])
        metrics.add(.imagesMalformed)
        malformed.remember(file: image, reason: "reading it ended two workers (\(reason))")
    }

    private func unexamined(_ payload: Data, _ loss: Loss) throws -> Answer? {
        guard var event = try? EventRepair(payload).event else { return nil }
        event.loss.append(loss)
        let grouping = Grouping.unexamined(event)
        return Answer(
            summary: WorkerReply.Summary(event, grouping: grouping),
            document: try ModelCoding.write(event.withoutMemory), grouping: try ModelCoding.write(grouping),
            failed: true)
    }
}

extension EventExaminer.Answer {
    /// The worker's.
    fileprivate init(_ summary: WorkerReply.Summary, _ body: Data, failed: Bool) {
        self.init(
            summary: summary, document: Data(body.prefix(summary.documentSize)),
            grouping: Data(body.dropFirst(summary.documentSize)), failed: failed)
    }
}
