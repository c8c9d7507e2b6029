// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// What an operator looks at: whether the service keeps up, what it takes, what was lost.
struct OperationPage {
    let state: SpoolState
    let now: Timestamp
    let problem: String?
    let disk: DiskUse?
    let diskBudget: UInt64?
    let database: StoreSize
    let waits: WriteWaits
    let rates: ProjectRates
    let poison: PoisonView
    let counters: [(name: String, value: Int)]
    let losses: [(reason: String, count: Int64)]
    let installations: [Installation]

    var content: [HTML] {
        [
            tag("h1", [], "Operation"), health, table("Now", present), table("On the disk", onDisk), rates.content,
            poison.content, lost, gaps, counts,
        ]
    }

    private var health: HTML {
        problem.map { tag("p", [.className("problem"), HTML.Attribute("role", "status")], .text($0)) }
            ?? tag("p", [HTML.Attribute("role", "status")], "The service takes and works on reports.")
    }

    private var present: [(String, String)] {
        let lag = state.oldest.map { max(0, now.milliseconds - $0.milliseconds) / 1000 }
        return [
            (
                "Waiting to be worked on",
                "\(Words.count(state.items, "item")), \(Words.size(UInt64(max(0, state.bytes))))"
            ),
            ("The oldest of them waits", lag.map { Words.count(Int($0), "second") } ?? "–"),
            ("Events to be symbolicated again", String(state.mending)),
            (
                "Waits of writers for each other",
                "\(milliseconds(waits.transactions == 0 ? 0 : waits.seconds / Double(waits.transactions))) of "
                    + "\(Words.count(waits.transactions, "transaction")) on average, \(milliseconds(waits.longest)) at most"
            ),
        ]
    }

    private func milliseconds(_ seconds: Double) -> String {
        let tenths = Int((min(seconds, 1e6) * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    private var onDisk: [(String, String)] {
        let bound = diskBudget.map { " of \(Words.size($0))" } ?? ", without a bound"
        let folder = disk.map { use in
            [
                ("The data folder", Words.size(use.bytes) + bound),
                ("Debug images and source bundles", Words.size(use.images)),
                ("Images of other servers, to be fetched again", Words.size(use.fetched)),
                ("Symbol caches, to be made again", Words.size(use.symbolCaches)),
                ("Uploads under way, and what is remembered of files", Words.size(use.others)),
            ]
        }
        return (folder ?? [])
            + [
                ("The database", Words.size(database.all)),
                ("Of that, kept for rows to come", Words.size(database.unused)),
            ]
    }

    private func table(_ title: String, _ rows: [(String, String)]) -> HTML {
        tag(
            "section", [], tag("h2", [], .text(title)),
            SettingsSection.facts(rows))
    }

    private var counts: HTML {
        let rows = counters.filter { $0.value > 0 }.map {
            PageTable.row(tag("code", [], .text($0.name)), .text(String($0.value)))
        }
        guard !rows.isEmpty else { return .nothing }
        return .group([
            PageTable(heads: ["Counter", "Since the start"], rows: rows).under("Counted"),
            tag("p", [.className("hint")], "All of them, with times, are at ", tag("code", [], "/metrics"), "."),
        ])
    }

    private var lost: HTML {
        guard !losses.isEmpty else {
            return tag("section", [], tag("h2", [], "Lost"), tag("p", [], "No program says that it gave up anything."))
        }
        return PageTable(
            heads: ["Why", "Items"],
            rows: losses.map { PageTable.row(tag("code", [], .text($0.reason)), .text(String($0.count))) }
        ).under("Lost, as programs of this project say")
    }

    /// Installations whose batches did not all come.
    private var gaps: HTML {
        let rows = installations.filter { !$0.gaps.isEmpty || $0.duplicates > 0 }.map { one in
            PageTable.row(
                tag("code", [], .text(one.id)), .text(String(one.batches)),
                .text(String(one.gaps.reduce(0) { $0 + $1.count })), .text(String(one.duplicates)),
                Words.time(one.lastSeen))
        }
        guard !rows.isEmpty else { return .nothing }
        return PageTable(heads: ["Installation", "Batches", "Never came", "Came again", "Last seen"], rows: rows)
            .under("Batches that are missing")
    }
}

extension OperationPage {
    /// `GET /operation`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try page(service, request, .none, status: 200)
    }

    /// `POST /operation/reprocess`
    static func reprocess(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        let action = PoisonView.again.action
        do {
            var asked = request
            asked.query = ["days": request.form["days"] ?? ""]
            let answer = try ModelCoding.decode(
                ReprocessHandlers.Answer.self, from: ReprocessHandlers.reprocess(service, asked).content)
            let told = "\(answer.queued) of \(Words.count(answer.selected, "event")) wait to be worked on again."
            return try page(
                service, request, FormOutcome(action: action, result: SettingsSection.notice(told)), status: 200)
        } catch let error as APIError where error.status < 500 {
            return try page(service, request, FormOutcome(action: action, problem: error.message), status: error.status)
        }
    }

    /// `POST /operation/forget-malformed`
    static func forgetMalformed(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        service.malformed.forget()
        return .redirect(to: "/operation")
    }

    private static func page(
        _ service: Service, _ request: HTTPRequest, _ outcome: FormOutcome, status: Int
    ) throws -> HTTPResponse {
        let project = try request.requireProject().id
        let readiness = try OperationHandlers.readiness(service)
        let page = OperationPage(
            state: readiness.state, now: service.store.now, problem: readiness.problem.map(OperationHandlers.why),
            disk: service.disk.use, diskBudget: service.disk.budget, database: try service.store.size(),
            waits: service.store.writeWaits, rates: try ProjectRates(service, request),
            poison: try PoisonView(service, request, outcome),
            counters: service.metrics.counts,
            losses: try service.store.clientReports(project: project).sorted { $0.key < $1.key }
                .map { ($0.key, $0.value) },
            installations: try service.store.installations(project: project, after: nil, limit: 200).items)
        return WebPage(request, title: "Operation", section: .operation, content: [outcome.result] + page.content)
            .response(status: status)
    }
}
