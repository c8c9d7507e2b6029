// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What operators and their tools ask.
enum OperationHandlers {
    static func health(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try .json(["status": "ok"])
    }

    private struct Readiness: Encodable {
        struct Spool: Encodable {
            var items: Int
            var bytes: Int
            var mending: Int
            var lag: Double

            enum CodingKeys: String, CodingKey {
                case items, bytes, mending
                case lag = "lag_s"
            }
        }

        /// Where images have their home elsewhere; that it is away is no reason to send nothing.
        struct Images: Encodable {
            var status: String
            @ExplicitNull var reason: String?
            /// Items that wait for it.
            var held: Int
        }

        /// What every refusal has; left out when the service is ready.
        var error: ErrorReply.Body?
        var status: String
        var spool: Spool
        var worker: String
        var images: Images?
    }

    /// What waits, and the word for why nothing can be taken or worked on; nil where all is well.
    static func readiness(_ service: Service) throws(APIError) -> (state: SpoolState, problem: String?) {
        let state: SpoolState
        do {
            state = try service.store.spoolState()
        } catch let error as StoreError where error.code == .away {
            throw APIError(503, "store_away", "the database cannot be reached: \(error)")
        } catch {
            throw APIError(503, "store", "the store does not answer: \(error)")
        }
        if let problem = storeProblem(service) { return (state, problem) }
        if state.bytes >= service.options.limits.spoolBytes { return (state, "spool_full") }
        if service.disk.isExhausted { return (state, "over_budget") }
        return (state, service.isWorking ? nil : "worker_down")
    }

    static func ready(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let (state, problem) = try readiness(service)
        let document = Readiness(
            error: problem.map { ErrorReply(code: $0, message: why($0)).error }, status: problem ?? "ready",
            spool: Readiness.Spool(
                items: state.items, bytes: state.bytes, mending: state.mending, lag: lag(state, service)),
            worker: service.isWorking ? "alive" : "down", images: images(service))
        return try .json(document, status: problem == nil ? 200 : 503)
    }

    private static func images(_ service: Service) -> Readiness.Images? {
        guard let vault = service.images.vault else { return nil }
        let reason = vault.blobs.reason
        return Readiness.Images(
            status: reason == nil ? "here" : "away", reason: reason, held: service.held?.count ?? 0)
    }

    static func why(_ status: String) -> String {
        switch status {
        case "spool_full": "more waits to be worked on than --max-spool lets in: wait, or give it more --workers"
        case "over_budget": "the data folder takes more than --disk-budget: raise it, or remove unused debug images"
        case "worker_down": "no worker answers: the log says why"
        case "store_away": "the database cannot be reached: the log says why"
        default: "the data folder cannot be written: free its disk or mend its file system; the log says why"
        }
    }

    /// Why nothing can be stored, tried anew where it failed before.
    private static func storeProblem(_ service: Service) -> String? {
        guard service.store.writeFailure != nil else { return nil }
        do {
            try service.store.tryWriting()
            return nil
        } catch {
            return APIError.store(error).code
        }
    }

    private static func lag(_ state: SpoolState, _ service: Service) -> Double {
        state.oldest.map { Double(max(0, service.store.now.milliseconds - $0.milliseconds)) / 1000 } ?? 0
    }

    static func metrics(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let state = try service.store.spoolState()
        var gauges: [(name: String, value: Double)] = [
            ("vaka_spool_items", Double(state.items)), ("vaka_spool_bytes", Double(state.bytes)),
            ("vaka_spool_lag_seconds", lag(state, service)), ("vaka_mend_queue", Double(state.mending)),
        ]
        gauges.append(("vaka_disk_bytes", Double(service.disk.used)))
        if let budget = service.disk.budget { gauges.append(("vaka_disk_budget_bytes", Double(budget))) }
        if let vault = service.images.vault {
            gauges += [
                ("vaka_blobs_away", vault.blobs.isAway ? 1 : 0), ("vaka_held_items", Double(service.held?.count ?? 0)),
            ]
        }
        if let ended = service.housekeeping.lastRoundEnded {
            gauges.append(("vaka_housekeeping_timestamp_seconds", Double(ended.milliseconds) / 1000))
        }
        if let expiry = TLSFiles.expiry { gauges.append(("vaka_tls_certificate_expiry_seconds", Double(expiry))) }
        return HTTPResponse(
            status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: Data(service.metrics.text(gauges: gauges).utf8))
    }

    static func description(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        HTTPResponse(
            status: 200, contentType: "application/json",
            body: try ModelCoding.encode(OpenAPI.document(RouteTable.routes)))
    }
}
