// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What the machine was at, and core files for debuggers. Both may hold captured memory.
enum MachineHandlers {
    private static let mostBrought = 64

    /// `GET …/events/{id}/machine`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try .json(try state(service, request))
    }

    /// `GET …/events/{id}/core`
    static func core(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let stored = try IssueHandlers.findEvent(service, request)
        let core = try answer(WorkerJob(kind: .core), of: stored, service, request)
        service.metrics.add(.coresMade)
        return HTTPResponse(
            status: 200, contentType: "application/x-core", body: core,
            headers: [
                ("Content-Disposition", "attachment; filename=\"core.\(stored.summary.row)\""),
                ("Content-Security-Policy", "sandbox"), ("Cache-Control", "no-store"),
                ("Vaka-Memory", stored.summary.memory.rawValue),
            ])
    }

    static func state(_ service: Service, _ request: HTTPRequest) throws -> MachineState {
        let stored = try IssueHandlers.findEvent(service, request)
        var job = WorkerJob(kind: .machine)
        if let text = request.query["thread"] {
            guard let thread = Int(text), thread >= 0 else {
                throw APIError(400, "invalid_thread", "\"thread\" must be the number of a thread")
            }
            job.thread = thread
        }
        job.hidesMemory = request.caller?.may(.write) != true
        return try ModelCoding.decode(MachineState.self, from: try answer(job, of: stored, service, request))
    }

    private static func answer(
        _ job: WorkerJob, of stored: StoredEvent, _ service: Service, _ request: HTTPRequest
    ) throws -> Data {
        let project = try request.requireProject().id
        let document = try stored.currentDocument(service.store, project: project)
        try bring(document, job, service)
        let whole = try report(stored, service, project) ?? document
        switch try service.eventReader.read(job, whole) {
        case .reply(let reply, let body):
            guard let failure = reply.failure else { return body }
            throw APIError.notFound(failure.message)
        case .died(let death):
            throw APIError(500, "failed", "reading the event's images ended the worker: \(death.reason)")
        }
    }

    /// As it came, with its memory; nil where it is kept no longer.
    private static func report(_ stored: StoredEvent, _ service: Service, _ project: Int64) throws -> Data? {
        guard let kept = try service.store.report(project: project, event: stored.summary.eventID) else { return nil }
        return try? SpoolPayload.unpacked(kept)
    }

    /// What is not here of the images that frames lie in.
    private static func bring(_ document: Data, _ job: WorkerJob, _ service: Service) throws {
        guard service.images.areElsewhere else { return }
        let event = try ModelCoding.decode(Event.self, from: document)
        let thread = event.threads.first { $0.id == job.thread } ?? event.subjectThread
        let frames = job.kind == .core ? event.threads.flatMap(\.frames) : thread?.frames ?? []
        for buildID in Set(frames.compactMap(\.buildID)).prefix(mostBrought) { try service.images.bring(buildID) }
    }
}
