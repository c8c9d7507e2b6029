// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// `POST /api/v1/ingest`: durable before it is answered.
enum IngestHandler {
    typealias Tell = @Sendable (HTTPResponse) -> Void

    static func ingest(
        _ service: Service, _ request: HTTPRequest, mayWait: Bool, then tell: @escaping Tell
    ) throws -> Bool {
        let project = try request.requireProject()
        try requireRoom(service)
        // Here, so that no secret is ever in the spool.
        let settings = try service.ingestSettings(project)
        var reader = BatchReader(request.batch, limits: service.options.limits, scrubber: settings.scrubber)
        let result = try reader.read()
        guard let first = try firstCrashes(service, result, project, mayWait: mayWait) else { return false }
        let wait = service.quotas.admit(
            items: result.items.count, project: project.id, key: Authenticator.prefix(request), limits: settings.limits)
        let acceptance = Acceptance(service: service, project: project.id, result: result)
        guard let wait else {
            acceptance.store(
                try result.items.map(reader.entry),
                notes: try DiagnosticNotes(result, project, service.schemaDiagnostics),
                then: tell)
            return true
        }
        // The first crash of a build is never turned away.
        let kept = first.filter { _ in service.quotas.admitNewBuild(project: project.id) }
        let turnedAway = result.items.count - kept.count
        guard turnedAway > 0 else {
            acceptance.store(
                try result.items.map(reader.entry),
                notes: try DiagnosticNotes(result, project, service.schemaDiagnostics),
                then: tell)
            return true
        }
        let refusal = refusal(service, project, turnedAway: turnedAway, kept: kept.count, wait: wait)
        guard !kept.isEmpty else { throw refusal }
        acceptance.store(try kept.map { try reader.entry(result.items[$0]) }, insteadOfAnswer: refusal, then: tell)
        return true
    }

    private static func requireRoom(_ service: Service) throws {
        let waiting = service.store.spoolBytes
        guard waiting < service.options.limits.spoolBytes else {
            service.metrics.add(.batchesDeferred)
            throw APIError(
                429, "spool_full",
                "the server has \(waiting) bytes waiting to be worked on and takes no more for now; send the batch again later",
                headers: [("Retry-After", "30")])
        }
        try service.disk.requireRoom()
    }

    private static func refusal(
        _ service: Service, _ project: Project, turnedAway: Int, kept: Int, wait: Int
    ) -> APIError {
        service.metrics.add(.batchesTurnedAway)
        service.metrics.add(.itemsTurnedAway, turnedAway)
        service.quotas.turnAway(items: turnedAway, project: project.id)
        return APIError(
            429, "over_quota",
            "more came than the project's limits allow in a minute; \(turnedAway) items were turned away, \(kept) "
                + "first crashes of builds kept. Send the batch again in \(wait) s, or raise the limits",
            headers: [("Retry-After", "\(wait)")])
    }

    /// Indices of the items that are the first crash of their program's build. Nil where a build is new, which is to be taken
    /// down, and that may not be waited for.
    private static func firstCrashes(
        _ service: Service, _ result: BatchReader.Result, _ project: Project, mayWait: Bool
    ) throws -> [Int]? {
        var first: [Int] = []
        for (index, item) in result.items.enumerated() {
            guard let crash = item.build else { continue }
            let build = IngestSettings.Build(project: project.id, build: crash.build)
            let known = try service.settings.firstCrashes.value(build) {
                try service.store.firstCrash(build: crash.build, project: project.id)
            }
            if known == nil, !mayWait { return nil }
            let isFirst =
                try known.map { $0 == crash.event }
                ?? service.store.isFirstCrash(build: crash.build, event: crash.event, project: project.id)
            if isFirst { first.append(index) }
        }
        return first
    }
}

extension HTTPRequest {
    /// The project that the door let in; routes without one must not ask.
    func requireProject() throws(APIError) -> Project {
        guard let project else { throw APIError(403, "no_project", "this address needs a project's key or token") }
        return project
    }
}
