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
        var reader = BatchReader(request.bodyData, limits: service.options.limits)
        let result = try reader.read()
        let entries = try result.entries.map { entry in
            SpoolEntry(kind: entry.kind, itemID: entry.itemID, payload: try Zstandard.compress(entry.payload))
        }
        do {
            try service.store.accept(entries, project: project.id, from: result.origin)
        } catch {
            service.log("cannot accept a batch: \(error)")
            throw APIError.unavailable("the server cannot store the batch now; send it again later")
        }
        service.metrics.add(.itemsAccepted, entries.count)
        service.metrics.add(.itemsRejected, result.rejected.count)
        service.wakePipeline()
        return try .json(IngestReply(accepted: entries.count, rejected: result.rejected), status: 202)
    }

    private struct Settings: Encodable {
        var schemaVersion = 1
        var settings: [String: JSONValue] = [:]

        enum CodingKeys: String, CodingKey {
            case schemaVersion = "schema_version"
            case settings
        }
    }

    /// `GET /api/v1/sdk-settings`: what the project wants of its programs.
    static func settings(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let body = try ModelCoding.encode(Settings())
        let tag = "\"" + Secrets.derived(String(decoding: body, as: UTF8.self), for: "etag").prefix(22) + "\""
        let headers = [("ETag", String(tag)), ("Cache-Control", "private, no-cache")]
        if request.header("if-none-match") == String(tag) {
            return HTTPResponse(status: 304, contentType: "application/json", body: Data(), headers: headers)
        }
        return HTTPResponse(status: 200, contentType: "application/json", body: body, headers: headers)
    }
}

extension HTTPRequest {
    /// The project that the door let in; routes without one must not ask.
    func requireProject() throws(APIError) -> Project {
        guard let project else { throw APIError(403, "no_project", "this address needs a project's key or token") }
        return project
    }
}
