// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// `POST /api/v1/ingest`: durable before it is answered.
enum IngestHandler {
    static func ingest(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        let waiting = service.store.spoolBytes
        guard waiting < service.options.limits.spoolBytes else {
            service.metrics.add(.batchesDeferred)
            throw APIError(
                429, "spool_full",
                "the server has \(waiting) bytes waiting to be worked on and takes no more for now; send the batch again later",
                headers: [("Retry-After", "30")])
        }
        try service.disk.requireRoom()
        var reader = BatchReader(request.bodyData, limits: service.options.limits)
        let result = try reader.read()
        let limits = try service.rateLimits(project)
        let first = try firstCrashes(service, result, project)
        let wait = service.quotas.admit(
            items: result.entries.count, project: project.id, key: Authenticator.prefix(request), limits: limits)
        guard let wait else { return try accept(service, result.entries, result, project) }
        // The first crash of a build is never turned away.
        let kept = first.filter { _ in service.quotas.admitNewBuild(project: project.id) }
        let turnedAway = result.entries.count - kept.count
        guard turnedAway > 0 else { return try accept(service, result.entries, result, project) }
        if !kept.isEmpty { _ = try accept(service, kept.map { result.entries[$0] }, nil, project) }
        service.metrics.add(.batchesTurnedAway)
        service.metrics.add(.itemsTurnedAway, turnedAway)
        service.quotas.turnAway(items: turnedAway, project: project.id)
        throw APIError(
            429, "over_quota",
            "more came than the project's limits allow in a minute; \(turnedAway) items were turned away, \(kept.count) "
                + "first crashes of builds kept. Send the batch again in \(wait) s, or raise the limits",
            headers: [("Retry-After", "\(wait)")])
    }

    /// Indices of the entries that are the first crash of their program's build.
    private static func firstCrashes(
        _ service: Service, _ result: BatchReader.Result, _ project: Project
    ) throws -> [Int] {
        try result.builds.indices.filter { index in
            guard let crash = result.builds[index] else { return false }
            return try service.store.isFirstCrash(build: crash.build, event: crash.event, project: project.id)
        }
    }

    private static func accept(
        _ service: Service, _ accepted: [SpoolEntry], _ result: BatchReader.Result?, _ project: Project
    ) throws -> HTTPResponse {
        // Here, so that no secret is ever in the spool.
        let scrubber = try service.scrubbing.scrubber(project)
        let entries = try accepted.map { entry in
            var packed = entry
            packed.payload = try Zstandard.compress(
                scrubber.scrub(entry.payload, Scrubbing.kind(entry.kind)), .small)
            return packed
        }
        do {
            try service.store.accept(entries, project: project.id, from: result?.origin)
        } catch {
            service.log.error(
                "batch_not_accepted", "cannot accept a batch: \(error)", ["reason": .string("\(error)")])
            throw APIError.store(error)
        }
        service.metrics.add(.itemsAccepted, entries.count)
        service.metrics.add(.itemsRejected, result?.rejected.count ?? 0)
        for rejection in result?.rejected ?? [] { service.metrics.refuse(item: rejection.code) }
        service.wakePipeline()
        let told = result?.installID.flatMap { service.countedOnly.take(project: project.id, installID: $0) }
        return try .json(
            IngestReply(
                accepted: entries.count, rejected: result?.rejected ?? [],
                directives: told.map { [.countedOnly(events: $0)] } ?? []), status: 202)
    }
}

extension HTTPRequest {
    /// The project that the door let in; routes without one must not ask.
    func requireProject() throws(APIError) -> Project {
        guard let project else { throw APIError(403, "no_project", "this address needs a project's key or token") }
        return project
    }
}
