// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import VakaModel

/// An event as a person reads it: why, where, what led up to it, and what is missing.
struct EventView {
    let event: Event
    let summary: EventSummary
    let issue: Issue?
    let neighbours: EventNeighbours
    let attachments: [StoredAttachment]
    /// Its last moments on the screen.
    let recordings: [Recording]
    /// Whether screens of its session were recorded.
    let isSessionRecorded: Bool
    /// Who can make more of it readable.
    let supplies: [ImageSupply]
    /// Nil where lines lead nowhere.
    let links: SourceLinks?

    /// The thread to show; nil for the one that the event is about.
    var chosenThread: Int?
    let project: String
    let url: String
    let mayDownload: Bool

    private var thread: ThreadState? {
        event.threads.first { $0.id == chosenThread } ?? event.subjectThread
    }

    var content: [HTML] {
        [
            heading, steps, facts, errors, SubjectThreadView(event: event, thread: thread, links: links).content,
            SuppliesView(supplies: supplies).content, losses,
            RecordingView(recordings, end: event.timestamp).content, BreadcrumbsView(event: event).content,
            EventNetworkView(event: event).content, attached,
            ThreadsView(event: event, shown: thread, links: links).content, ContextView(event: event).content,
            registers,
            DebuggerView(
                event: event, memory: summary.memory, project: project, url: url, mayDownload: mayDownload
            ).content, images, footer,
        ]
    }

    private var heading: HTML {
        .group([
            tag("h1", [], .text(summary.title)),
            event.reason?.message.map { tag("p", [.className("message")], .text($0)) } ?? .nothing,
        ])
    }

    /// To the events beside this one.
    private var steps: HTML {
        func step(_ id: String?, _ words: String) -> HTML {
            id.map { tag("a", [.href("/events/" + FormCoding.encode($0))], .text(words)) } ?? .nothing
        }
        guard neighbours.older != nil || neighbours.newer != nil else { return .nothing }
        return tag(
            "nav", [.className("steps"), HTML.Attribute("aria-label", "Other events of this issue")],
            step(neighbours.older, "← Event before"), step(neighbours.newer, "Next event →"))
    }

    private var facts: HTML {
        var rows: [(String, HTML)] = [("When", Words.time(event.timestamp))]
        if let hang = event.hang {
            rows.append(("Hang", .text(Words.hang(hang))))
        } else if let reason = event.reason {
            rows.append(("Reason", .text(words(reason))))
        }
        if let release = event.release { rows.append(("Release", .text(release))) }
        if let environment = event.environment { rows.append(("Environment", .text(environment))) }
        if let process = event.contexts["process"]?["name"]?.string { rows.append(("Process", .text(process))) }
        if let arch = event.arch { rows.append(("Machine", .text("\(event.platform) \(arch)"))) }
        if isSessionRecorded, let session = event.session?.id {
            rows.append(
                ("Session", tag("a", [.href(RecordingListPage.address(session: session))], "Its screen recordings")))
        }
        if let issue {
            rows.append(
                (
                    "Issue",
                    tag(
                        "a", [.href("/issues/\(issue.id)")], .text("\(issue.id), \(Words.count(issue.events, "event"))")
                    )
                ))
        }
        return FactsTable.of(rows)
    }

    private func words(_ reason: Reason) -> String {
        var parts = [reason.signal, reason.code, reason.exception].compactMap { $0 }
        if let address = reason.faultAddress {
            parts.append((reason.access.map { "\($0) " } ?? "") + "at \(address)")
        }
        if let kind = reason.kind { parts.append(kind.rawValue.split(separator: "_").joined(separator: " ")) }
        if let sender = reason.senderPID {
            parts.append("sent by process \(sender)" + (reason.senderName.map { " (\($0))" } ?? ""))
        }
        return parts.joined(separator: " · ")
    }

    private var errors: HTML {
        .group(
            event.errors.map { error in
                tag(
                    "section", [],
                    tag("h2", [], .text(error.causeOf == nil ? error.type : "Caused by: \(error.type)")),
                    error.message.map { tag("p", [.className("message")], .text($0)) } ?? .nothing,
                    stackOrigin(error),
                    error.frames.isEmpty ? .nothing : StackView(links: links).list(error.frames, truncated: false))
            })
    }

    private func stackOrigin(_ error: ReportedError) -> HTML {
        switch error.stackOf {
        case StackOrigin.throw?: tag("p", [], .text("Thrown here:"))
        case StackOrigin.capture?: tag("p", [], .text("Reported here:"))
        default: .nothing
        }
    }

    private var attached: HTML {
        guard !attachments.isEmpty else { return .nothing }
        return tag(
            "section", [], tag("h2", [], .text("Attachments")),
            tag("ul", [], children: attachments.map { tag("li", [], attachment($0)) }))
    }

    private func attachment(_ stored: StoredAttachment) -> HTML {
        let attachment = stored.attachment
        if let missing = attachment.missing { return .text("\(attachment.name): missing, \(missing)") }
        let cut = attachment.offset > 0 ? ", the last \(stored.kept) of \(attachment.size)" : ""
        let path = "/events/\(FormCoding.encode(attachment.eventID))/attachments/\(stored.number)"
        return .group([
            tag("a", [.href(path)], .text(attachment.name)), .text(" (\(stored.kept) bytes\(cut))"),
        ])
    }

    /// What could not be had, and why: never silently.
    private var losses: HTML {
        let rows = event.loss.prefix(200).map { loss in
            tag("li", [], tag("b", [], .text(loss.what)), ": ", .text(loss.why))
        }
        let memory: HTML =
            switch summary.memory {
            case .none: .nothing
            case .kept: tag("li", [], "The captured memory is kept until every frame is resolved.")
            case .dropped: tag("li", [], "Every frame is resolved, so the captured memory was dropped.")
            case .expired: tag("li", [], "The captured memory's days were over before every frame was resolved.")
            case .givenUp:
                tag(
                    "li", [],
                    "The captured memory was removed to stay within the disk budget, before every frame was resolved.")
            }
        guard !rows.isEmpty || summary.memory != .none else { return .nothing }
        let list = tag("ul", [.className("loss")], children: rows + [memory])
        let few = rows.count < 3 && supplies.isEmpty
        return tag(
            "section", [], tag("h2", [], "What is missing"),
            few ? list : tag("details", [], tag("summary", [], .text(Words.count(rows.count, "thing"))), list))
    }

    private var registers: HTML {
        guard let thread, !thread.registers.isEmpty else { return .nothing }
        let cells = thread.registers.sorted { RegisterOrder($0.key) < RegisterOrder($1.key) }.map { name, value in
            tag("div", [], tag("dt", [], .text(name)), tag("dd", [], tag("code", [], .text(value.description))))
        }
        let path = "/events/\(FormCoding.encode(event.eventID))/machine?thread=\(thread.id)"
        return tag(
            "section", [], tag("h2", [], "Registers, code and memory"),
            tag("details", [], tag("summary", [], "Registers"), tag("dl", [.className("registers")], children: cells)),
            thread.pointersOnly == true ? MachinePage.pointersOnly : .nothing,
            tag("p", [], tag("a", [.href(path)], "Instructions and memory around them")))
    }

    private var images: HTML {
        guard !event.debugImages.isEmpty else { return .nothing }
        let rows = event.debugImages.prefix(1000).map { image in
            PageTable.row(
                .text(image.codeFile ?? "?"),
                tag("code", [], .text(image.buildID?.description ?? "no build id")),
                tag("code", [], .text(image.imageAddress.description)),
                tag(
                    "span", [.className("image-\(image.status == .missing ? "missing" : "known")")],
                    .text(Words.image(image.status))))
        }
        return tag(
            "section", [], tag("h2", [], "Images"),
            tag(
                "details", [], tag("summary", [], .text(Words.count(event.debugImages.count, "image"))),
                PageTable(heads: ["File", "Build id", "Address", "State"], rows: rows).alone(named: "Images")))
    }

    private var footer: HTML {
        tag(
            "p", [.className("hint")], "Event ", tag("code", [], .text(event.eventID)), ", received ",
            Words.time(summary.receivedAt), ". ",
            tag("a", [.href("/events/\(FormCoding.encode(event.eventID))/grouping")], "Why it is in this issue"))
    }
}
