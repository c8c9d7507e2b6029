// SPDX-License-Identifier: Apache-2.0
import EventText
import FoundationEssentials
import VakaModel

/// An event as plain text: what `vaka symbolicate` prints.
enum EventTextHandlers {
    /// `GET …/events/{id}/text`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let stored = try IssueHandlers.findEvent(service, request)
        let document = try stored.currentDocument(service.store, project: request.requireProject().id)
        let event = try ModelCoding.decode(Event.self, from: document)
        var response = HTTPResponse.text(ReportText(event, service: service.url).text)
        response.headers += [("Cache-Control", "no-store"), ("Content-Security-Policy", "sandbox")]
        return response
    }
}
