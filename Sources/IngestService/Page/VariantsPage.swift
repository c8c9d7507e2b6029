// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// The variants of an issue, the most frequent first, each of which may be made an issue of its own.
struct VariantsPage {
    private static let mostFunctions = 8
    private static let mostShown = 50

    let issue: Issue
    let found: IssueVariants
    /// Nil for who may not decide.
    let proof: String?

    var content: [HTML] {
        let all =
            found.looked < issue.stored
            ? "the latest \(found.looked) kept events" : Words.count(found.looked, "kept event")
        return [
            tag("h1", [], .text("Variants of issue \(issue.id)")),
            tag("p", [], tag("a", [.href("/issues/\(issue.id)")], .text(issue.title))),
            tag(
                "p", [.className("hint")],
                .text("\(Words.count(found.variants.count, "distinct stack")) in \(all), by their functions.")),
        ] + found.variants.prefix(Self.mostShown).enumerated().map { row($1, number: $0 + 1) }
    }

    private func row(_ variant: IssueVariants.Variant, number: Int) -> HTML {
        guard let latest = variant.events.first else { return .nothing }
        var releases: [String: Int] = [:]
        for event in variant.events { releases[event.release ?? "no release", default: 0] += 1 }
        let names = releases.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        return tag(
            "section", [.className("variant")],
            tag("h2", [], .text("\(number). \(Words.count(variant.events.count, "event"))")),
            tag(
                "div", [.className("facts")],
                .group(names.prefix(6).map { tag("span", [.className("badge")], .text("\($0.key): \($0.value)")) }),
                tag(
                    "span", [], "latest ",
                    tag("a", [.href("/events/" + FormCoding.encode(latest.eventID))], Words.time(latest.timestamp)))),
            functions(variant), split(variant))
    }

    private func functions(_ variant: IssueVariants.Variant) -> HTML {
        guard !variant.functions.isEmpty else { return tag("p", [.className("hint")], "No stack.") }
        let rows = variant.functions.prefix(Self.mostFunctions).map { frame in
            tag(
                "li", [.className(frame.kept ? "frame app" : "frame")],
                tag("div", [.className("name")], tag("code", [], .text(frame.function))),
                frame.module.map { tag("div", [.className("place")], .text($0)) } ?? .nothing)
        }
        let more = variant.functions.count - rows.count
        return tag(
            "ol", [.className("stack"), HTML.Attribute("start", "0")],
            children: rows + (more > 0 ? [tag("li", [.className("hint")], .text("and \(more) more"))] : []))
    }

    private func split(_ variant: IssueVariants.Variant) -> HTML {
        guard let proof, found.variants.count > 1 else { return .nothing }
        return IssueForm(issue: issue.id, proof: proof).of(
            "split", [Field.hidden("variant", variant.id), Field.submit("Make it an issue of its own")])
    }

    /// `GET /issues/{id}/variants`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let issue = try IssueHandlers.find(service, request)
        let page = VariantsPage(
            issue: issue, found: try IssueVariants(service, project: request.requireProject().id, issue: issue.id),
            proof: request.caller?.may(.write) == true ? WebPage.proof(request) : nil)
        return WebPage(request, title: "Variants", section: .issues, content: page.content).response()
    }
}
