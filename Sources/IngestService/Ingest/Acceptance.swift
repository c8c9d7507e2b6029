// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Keeps what was accepted of a batch, and answers when it is on the disk.
struct Acceptance {
    let service: Service
    let project: Int64
    let result: BatchReader.Result

    /// `notes` are the service's own, and are kept with what came.
    func store(
        _ entries: [SpoolEntry], notes: DiagnosticNotes = .none, insteadOfAnswer refusal: APIError? = nil,
        then tell: @escaping IngestHandler.Tell
    ) {
        let (service, project, rejected) = (service, project, refusal == nil ? result.rejected : [])
        let installID = refusal == nil ? result.installID : nil
        service.store.accept(entries + notes.entries, project: project, from: refusal == nil ? result.origin : nil) {
            error in
            if let error {
                notes.undo(service.schemaDiagnostics)
                service.log.error(
                    "batch_not_accepted", "cannot accept a batch: \(error)", ["reason": .string("\(error)")])
                return tell(APIError.store(error).response)
            }
            notes.tell(service.log)
            service.metrics.add(.itemsAccepted, entries.count)
            service.metrics.add(.itemsRejected, rejected.count)
            for rejection in rejected { service.metrics.refuse(item: rejection.code) }
            service.wakePipeline()
            if let refusal { return tell(refusal.response) }
            let counted = installID.flatMap { service.countedOnly.take(project: project, installID: $0) }
            tell(Self.answer(accepted: entries.count, rejected, counted))
        }
    }

    private static func answer(accepted: Int, _ rejected: [IngestReply.Rejection], _ counted: Int?) -> HTTPResponse {
        if accepted == 1, rejected.isEmpty, counted == nil { return usual }
        return make(accepted, rejected, counted)
    }

    /// Most batches bring one item.
    private static let usual = make(1, [], nil)

    private static func make(_ accepted: Int, _ rejected: [IngestReply.Rejection], _ counted: Int?) -> HTTPResponse {
        let reply = IngestReply(
            accepted: accepted, rejected: rejected, directives: counted.map { [.countedOnly(events: $0)] } ?? [])
        do {
            return try .json(reply, status: 202)
        } catch {
            return APIError(500, "internal", "the batch is kept, and its answer cannot be written").response
        }
    }
}
