// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// `/releases` and `/release?name=…`
enum ReleasePageHandlers {
    private static let most = 100

    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject().id
        let content = ReleasesPage(
            releases: try service.store.releases(project: project, limit: most),
            health: try health(service, project, release: nil),
            issues: try service.store.releaseIssues(
                project: project,
                since: Timestamp(
                    milliseconds: service.store.now.milliseconds - ReleasesPage.issueDays * CountUnit.day.milliseconds)),
            now: service.store.now
        ).content
        return WebPage(request, title: "Releases", section: .releases, content: content).response()
    }

    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject().id
        let releases = try service.store.releases(project: project, limit: most)
        guard let name = request.query["name"], let release = releases.first(where: { $0.name == name }) else {
            throw APIError.notFound("there is no such release among the latest \(most)")
        }
        let other = releases.first { $0.name == request.query["with"] && $0.name != name }
        var query = IssueQuery(sort: .firstSeen)
        query.add(.release, name)
        let page = ReleasePage(
            release: release, health: try health(service, project, release: name),
            issues: try service.store.issues(project: project, query, after: nil, limit: 20).items,
            other: try other.map { ($0, try health(service, project, release: $0.name)) },
            others: releases.map(\.name).filter { $0 != name }, now: service.store.now)
        return WebPage(request, title: "Release \(name)", section: .releases, content: page.content).response()
    }

    private static func health(_ service: Service, _ project: Int64, release: String?) throws -> [ReleaseHealth] {
        let now = service.store.now.milliseconds
        let day = CountUnit.day.milliseconds
        return try service.store.health(
            project: project, release: release,
            from: Timestamp(milliseconds: (now / day - Int64(ReleasesPage.days) + 1) * day),
            to: Timestamp(milliseconds: now + 1))
    }
}
