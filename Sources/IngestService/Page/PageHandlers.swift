// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import FoundationEssentials
import VakaModel

/// The pages.
enum PageHandlers {
    /// What the first page shows.
    static let usualQuery = "status:unresolved"

    static func issues(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let project = try request.requireProject()
        try service.store.endMutes(project: project.id, now: service.store.now)
        let query = try IssueQuery(request, usual: usualQuery)
        let list = try service.store.issues(project: project.id, query, after: paging.cursor, limit: paging.limit)
        return page(
            request, title: "Issues",
            content: IssueListPage(
                page: list, charts: try charts(of: list.items, service, project), isFirst: paging.cursor == nil,
                project: project, query: request.query["query"] ?? usualQuery, sort: query.sort,
                bulk: request.caller?.may(.write) == true ? BulkActions(request) : nil
            ).content)
    }

    /// Of each issue's last two weeks.
    private static func charts(
        of issues: [Issue], _ service: Service, _ project: Project
    ) throws -> [Int64: Chart] {
        let now = service.store.now
        return Dictionary(
            uniqueKeysWithValues: try issues.map { issue in
                (issue.id, Chart(try days(service, project, issue, now: now), days: chartDays, now: now))
            })
    }

    private static let chartDays = 14

    private static func days(
        _ service: Service, _ project: Project, _ issue: Issue, now: Timestamp
    ) throws -> [EventCount] {
        let from = now.milliseconds - Int64(chartDays - 1) * CountUnit.day.milliseconds
        return try service.store.counts(
            project: project.id, issue: issue.id, unit: .day, from: Timestamp(milliseconds: from),
            to: Timestamp(milliseconds: now.milliseconds + 1))
    }

    static func issue(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let issue = try IssueHandlers.find(service, request)
        if request.parameters["id"] != String(issue.id) { return .redirect(to: "/issues/\(issue.id)") }
        let project = try request.requireProject()
        guard let latest = issue.latestEvent, let stored = try service.store.event(project: project.id, id: latest)
        else {
            return page(
                request, title: issue.title,
                content: [
                    tag("h1", [], .text(issue.title)),
                    tag(
                        "p", [],
                        "None of its events is kept any more: they were older or more than the project keeps. What was counted of them stays."
                    ),
                ])
        }
        let events = try service.store.events(project: project.id, issue: issue.id, after: nil, limit: 50)
        let facts = try facts(service, request, project, issue)
        let actions = IssueActions(
            issue: issue, proof: WebPage.proof(request),
            newestRelease: facts.releases.first?.value)
        let mayWrite = request.caller?.may(.write) == true
        let event = try view(service, request, stored, nil).content
        return page(
            request, title: issue.title,
            content: [event[0], facts.summary, mayWrite ? actions.content : .nothing] + event.dropFirst()
                + facts.details
                + [history(events.items, of: issue)])
    }

    /// The releases over time are those of so many events.
    private static let mostCharted = 1000

    private static func facts(
        _ service: Service, _ request: HTTPRequest, _ project: Project, _ issue: Issue
    ) throws -> IssueFacts {
        let now = service.store.now
        let days = try days(service, project, issue, now: now)
        return IssueFacts(
            issue: issue, days: days, chart: Chart(days, days: chartDays, now: now),
            releaseDays: try service.store.releaseDays(project: project.id, issue: issue.id, limit: mostCharted),
            releases: try service.store.values(project: project.id, issue: issue.id, kind: .release, limit: 20),
            history: try service.store.history(project: project.id, issue: issue.id, after: nil, limit: 50).items,
            moves: try service.store.moves(project: project.id, issue: issue.id, limit: 20),
            proof: request.caller?.may(.write) == true ? WebPage.proof(request) : nil, now: now)
    }

    static func event(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let stored = try IssueHandlers.findEvent(service, request)
        let issue = try service.store.issue(project: try request.requireProject().id, id: stored.summary.issue)
        return page(request, title: stored.summary.title, content: try view(service, request, stored, issue).content)
    }

    private static func view(
        _ service: Service, _ request: HTTPRequest, _ stored: StoredEvent, _ issue: Issue?
    ) throws -> EventView {
        let (project, slug) = (try request.requireProject().id, try request.requireProject().slug)
        let document = try stored.currentDocument(service.store, project: project)
        let event = try ModelCoding.decode(Event.self, from: document)
        return EventView(
            event: event, summary: stored.summary, issue: issue,
            neighbours: try service.store.neighbours(of: stored.summary, project: project),
            attachments: try service.store.attachments(project: project, event: stored.summary.eventID),
            recordings: try RecordingHandlers.shown(service, project: project, event: stored.summary.eventID),
            isSessionRecorded: try event.session.map { session in
                try !service.store.recordings(
                    project: project, RecordingQuery(session: session.id), after: nil, limit: 1
                ).items.isEmpty
            } ?? false,
            supplies: ImageSupply.missing(in: event, service: service.url),
            links: try SourceLinks(event, service, project: project),
            chosenThread: request.query["thread"].flatMap { Int($0) },
            project: slug, url: service.url, mayDownload: request.caller?.may(.write) == true)
    }

    private static func history(_ events: [EventSummary], of issue: Issue) -> HTML {
        let rows = events.map { event in
            tag(
                "li", [],
                tag("a", [.href("/events/" + FormCoding.encode(event.eventID))], Words.time(event.timestamp)),
                event.release.map { tag("span", [.className("badge")], .text($0)) } ?? .nothing)
        }
        return tag(
            "section", [], tag("h2", [], .text(Words.events(of: issue))),
            tag("ul", [.className("history")], children: rows))
    }

    private static func page(_ request: HTTPRequest, title: String, content: [HTML]) -> HTTPResponse {
        WebPage(request, title: title, section: .issues, content: content).response()
    }
}
