// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import VakaModel

/// Debug images: what is there, what is not and which events wait for it.
struct ImagesPage {
    let page: Page<Artifact>
    let isFirst: Bool
    let missing: [(image: MissingImage, supply: ImageSupply?)]
    /// Nil where the reader may not upload.
    let upload: UploadForm?
    /// How the reader reaches the server.
    let url: String
    /// What became of files that were just sent.
    var received: HTML = .nothing

    var content: [HTML] {
        [
            tag("h1", [], "Debug images"), received, isFirst ? upload?.content ?? .nothing : .nothing,
            isFirst ? lacking : .nothing, uploaded,
        ]
    }

    private var lacking: HTML {
        guard !missing.isEmpty else { return tag("p", [], "No stored event waits for an image.") }
        let rows = missing.enumerated().map { index, one in
            let (image, supply) = one
            return tag(
                "li", [],
                tag("b", [], .text(supply?.codeFile ?? image.buildID)),
                .text(" (\(Words.count(image.events, "event"))" + (supply.map { "): \($0.reason)" } ?? ")")),
                tag("div", [.className("hint")], "Build id ", tag("code", [], .text(image.buildID))),
                supply?.command.map { CopyButton.block("command-\(index)", $0) } ?? .nothing,
                tag(
                    "a", [.href("/events/" + FormCoding.encode(image.latestEvent))],
                    "The latest event that waits for it"))
        }
        return tag(
            "section", [], tag("h2", [], "Missing"), tag("ul", [.className("loss")], children: rows))
    }

    private var uploaded: HTML {
        guard !page.items.isEmpty else {
            return tag(
                "section", [], tag("h2", [], "Uploaded"),
                tag("p", [], "Nothing yet. From where the program was built:"),
                CopyButton.block("upload", "vaka upload debug PROGRAM --url \(url) --token va_…"))
        }
        let rows = page.items.map { artifact in
            PageTable.row(
                .text(artifact.name ?? artifact.buildID), tag("code", [], .text(artifact.buildID)),
                .text(Self.words(artifact)), .text(Words.size(UInt64(max(0, artifact.size)))),
                .text(artifact.release ?? "–"), .text(String(artifact.events)), Words.time(artifact.uploadedAt))
        }
        let more = page.next.map { tag("p", [], tag("a", [.href("/images?cursor=\($0.text)")], "More images")) }
        return .group([
            PageTable(
                heads: ["File", "Build id", "Has", "Size", "Release", "Events that need it", "Uploaded"], rows: rows
            ).under("Uploaded"), more ?? .nothing,
        ])
    }

    private static func words(_ artifact: Artifact) -> String {
        if let files = artifact.sourceFiles {
            return "\(Words.count(files, "source file")), \(artifact.verifiedFiles ?? 0) checked"
        }
        let parts = [artifact.hasCode ? "code" : nil, artifact.hasDebugInfo ? "debug information" : nil]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}

extension ImagesPage {
    private static let mostMissing = 20

    /// `GET /images`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try page(service, request, received: .nothing)
    }

    /// `POST /images`
    static func upload(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        guard case .files(let form) = request.body, !form.files.isEmpty else {
            return try page(
                service, request,
                received: SettingsForm.alert("No file was chosen. Choose one, or drop it on the page."),
                status: 400)
        }
        let project = try request.requireProject()
        let outcomes = try form.files.map { file in
            (file.name, try UploadForm.take(file, release: form.fields["release"], service, project))
        }
        var response = try page(
            service, request, received: .group(outcomes.map { UploadForm.told($0.0, $0.1) }),
            status: outcomes.contains { $0.1.isTaken } ? 200 : 400)
        response.subject = outcomes.map(\.0).joined(separator: " ")
        return response
    }

    private static func page(
        _ service: Service, _ request: HTTPRequest, received: HTML, status: Int = 200
    ) throws -> HTTPResponse {
        let paging = try Paging(request)
        let project = try request.requireProject().id
        let list = try service.store.artifacts(
            project: project, ArtifactFilter(), after: paging.cursor, limit: paging.limit)
        let isFirst = paging.cursor == nil
        let missing = isFirst ? try service.store.missingImages(project: project, limit: mostMissing) : []
        let page = ImagesPage(
            page: list, isFirst: isFirst, missing: try missing.map { ($0, try supply($0, service, project)) },
            upload: request.caller?.may(.upload) == true ? UploadForm(proof: WebPage.proof(request)) : nil,
            url: PageForm.address(service, request),
            received: received)
        return WebPage(request, title: "Debug images", section: .images, content: page.content).response(status: status)
    }

    /// As an event that waits for it tells; nil where the event is gone meanwhile, or lacks no frame of the image.
    private static func supply(
        _ image: MissingImage, _ service: Service, _ project: Int64
    ) throws -> ImageSupply? {
        guard let stored = try service.store.event(project: project, id: image.latestEvent) else { return nil }
        let document = try stored.currentDocument(service.store, project: project)
        let event = try ModelCoding.decode(Event.self, from: document)
        return ImageSupply.missing(in: event, service: service.url).first {
            $0.buildID?.description == image.buildID
        }
    }
}
