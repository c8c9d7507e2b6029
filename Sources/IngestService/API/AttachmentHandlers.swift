// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Files that came with events.
enum AttachmentHandlers {
    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let attachments = try service.store.attachments(
            project: try request.requireProject().id, event: request.parameters["id"] ?? "")
        return try .json(
            ListDocument(name: "attachments", items: attachments.map(AttachmentDocument.init), next: nil))
    }

    /// As a download, whatever it says it is: nothing that came from a program is shown as a page of this service.
    static func file(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let number = request.parameters["number"] ?? ""
        guard let number = Int(number),
            let attachment = try service.store.attachment(
                project: try request.requireProject().id, event: request.parameters["id"] ?? "", number: number)
        else { throw APIError.notFound("the event has no such attachment") }
        guard let data = attachment.data else {
            throw APIError.notFound("the attachment has no data: \(attachment.missing ?? "it was not sent")")
        }
        let name = String(
            attachment.name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
        return HTTPResponse(
            status: 200, contentType: "application/octet-stream", body: data,
            headers: [
                ("Content-Disposition", "attachment; filename=\"\(name.prefix(100))\""),
                ("Content-Security-Policy", "sandbox"), ("Cache-Control", "no-store"),
            ])
    }
}

/// An attachment in the API.
private struct AttachmentDocument: Encodable {
    var number: Int
    var name: String
    @ExplicitNull var contentType: String?
    /// Of the whole; `kept` bytes of it are here, from `offset` on.
    var size: Int64
    var offset: Int64
    var kept: Int
    @ExplicitNull var missing: String?

    init(_ stored: StoredAttachment) {
        number = stored.number
        name = stored.attachment.name
        contentType = stored.attachment.contentType
        size = stored.attachment.size
        offset = stored.attachment.offset
        kept = stored.kept
        missing = stored.attachment.missing
    }

    private enum CodingKeys: String, CodingKey {
        case number, name
        case contentType = "content_type"
        case size, offset, kept, missing
    }
}
