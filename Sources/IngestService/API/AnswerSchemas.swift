// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What routes answer in JSON when all is well.
enum AnswerSchemas {
    /// Nil for routes that answer no JSON.
    static func schema(of route: Route) -> JSONValue? {
        guard route.answer == .json else { return nil }
        let path = route.pattern.replacing(RouteTable.project, with: "")
        return network[path] ?? issues[path] ?? events[path] ?? others[route.method + " " + path] ?? others[path]
    }

    /// By status, of routes whose refusals tell more than every refusal does.
    static func refusals(of route: Route) -> [String: JSONValue] {
        route.pattern == "/readyz" ? ["503": ["allOf": [["$ref": "#/components/schemas/Error"], ready]]] : [:]
    }

    private static let issues: [String: JSONValue] = [
        "/issues": Shape.list("issues", issue), "/issues.json": Shape.list("issues", issue), "/issues/{id}": issue,
        "/issues/{id}/comments": issue,
        "/issues/{id}/events": Shape.list("events", eventSummary),
        "/issues/{id}/history": Shape.list("history", history),
        "/issues/{id}/merge": moved, "/issues/{id}/split": moved, "/moves/{id}/undo": moved,
        "/issues/{id}/keys": Shape.list("keys", key), "/issues/{id}/moves": Shape.list("moves", move),
        "/issues/{id}/counts": Shape.list("counts", count), "/counts": Shape.list("counts", count),
        "/issues/{id}/affected": Shape.list("affected", affected), "/health": Shape.list("health", health),
    ]

    private static let events: [String: JSONValue] = [
        "/events/{id}": event, "/events/{id}/grouping": Shape.anyObject, "/events/{id}/machine": machine,
        "/events/{id}/attachments": Shape.list("attachments", attachment),
        "/events/{id}/recordings": Shape.list("recordings", storedRecording),
        "/recordings": Shape.list("recordings", storedRecording), "/recordings/{number}": recording,
        "/events/{id}/missing-images": Shape.list("missing_images", missingImage),
        "/events/{id}/source-links": Shape.list(
            "source_links", Shape.object(["file": Shape.text, "line": Shape.integer, "url": Shape.text])),
    ]

    private static let others: [String: JSONValue] = [
        "/api/v1/ingest": ingested, "/api/v1/sdk-settings": settings, "/sdk-settings": settings,
        "/releases": Shape.list("releases", release), "/installations": Shape.list("installations", installation),
        "/losses": Shape.object(["losses": Shape.map(Shape.integer)]),
        "GET /artifacts": Shape.list("artifacts", artifact), "POST /artifacts": uploaded,
        "/artifacts/remove-unused": Shape.object(["removed": Shape.integer, "bytes": Shape.integer]),
        "/uploads": upload, "/uploads/{id}": upload, "/uploads/{id}/finish": upload, "/limits": limits,
        "/source-link": Shape.object(["template": Shape.orNull(Shape.text), "prefix": Shape.orNull(Shape.text)]),
        "/release-commits": Shape.object(["release": Shape.text, "commit": Shape.text]),
        "/api/v1/login-links": Shape.object(["url": Shape.text, "expires_in_s": Shape.integer]),
        "GET /api/v1/projects": Shape.list("projects", Shape.object(["name": Shape.text])),
        "POST /api/v1/projects": Shape.object(["name": Shape.text, "ingest_key": Shape.text]),
        "GET /keys": Shape.list("keys", credential), "POST /keys": madeCredential, "/keys/{id}": credential,
        "GET /tokens": Shape.list("tokens", credential), "POST /tokens": madeCredential, "/tokens/{id}": credential,
        "/scrubbing": scrubSettings, "/scrubbing/try": Shape.object(["text": Shape.text]),
        "/reprocess": Shape.object(["selected": Shape.integer, "queued": Shape.integer]),
        "/scrubbing/apply": Shape.object([
            "looked_at": Shape.integer, "changed": Shape.integer, "next_cursor": Shape.orNull(Shape.text),
        ]),
        "GET /user-data": Shape.object([
            "events": Shape.array(event), "attachments": Shape.anyArray,
            "recordings": Shape.array(storedRecording), "network": Shape.array(NetworkDocument.detailSchema),
            "capabilities": Shape.array(capabilityReport), "diagnostics": Shape.array(diagnostic),
            "next_cursor": Shape.orNull(Shape.text),
        ]), "DELETE /user-data": Shape.object(["removed_events": Shape.integer]),
        "/members": Shape.list("members", member), "/members/{name}": member,
        "GET /api/v1/users": Shape.list("users", user), "POST /api/v1/users": user, "/api/v1/users/{name}": user,
        "/api/v1/users/{name}/sessions": Shape.object(["ended": Shape.integer]),
        "/audit-log": Shape.list("audit_log", auditEntry), "/api/v1/audit-log": Shape.list("audit_log", auditEntry),
        "GET /alert-targets": Shape.object(["alert_targets": Shape.array(alertTarget)]),
        "POST /alert-targets": alertTarget, "/alert-targets/{id}/remove": alertTarget,
        "/alert-targets/{id}/test": alert,
        "/alerts": Shape.object(["alerts": Shape.array(alert)]),
        "/start.json": Shape.object(["event": Shape.orNull(Shape.object(["id": Shape.text, "title": Shape.text]))]),
        "/healthz": Shape.object(["status": Shape.text]), "/readyz": ready,
        "/openapi.json": Shape.object(["openapi": Shape.text, "paths": Shape.anyObject]),
    ]
}
