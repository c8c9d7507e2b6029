// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// `GET …/events/{id}/missing-images`
enum MissingImageHandlers {
    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let stored = try IssueHandlers.findEvent(service, request)
        let document = try stored.currentDocument(service.store, project: try request.requireProject().id)
        let event = try ModelCoding.decode(Event.self, from: document)
        return try .json(
            ListDocument(
                name: "missing_images", items: ImageSupply.missing(in: event, service: service.url), next: nil))
    }
}
