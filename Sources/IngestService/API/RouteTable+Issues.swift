// SPDX-License-Identifier: Apache-2.0

extension RouteTable {
    private static let issue = project + "/issues/{id}"

    private static let changes: [[RouteField]] = [
        [.text("assignee").needed], [.choice("status", ["open"]).needed, .text("assignee")],
        [resolved, .text("assignee"), .text("release")], [resolved, .text("assignee"), .text("after_release")],
        [muted, .text("assignee")], [muted, .text("assignee"), .time("until").needed],
        [
            muted, .text("assignee"), .integer("events", 1...TriageHandlers.mostMuteEvents, required: true),
            .integer("window_s", 1...TriageHandlers.longestMuteWindow, required: true),
        ],
    ]
    private static let resolved = RouteField.choice("status", ["resolved"]).needed
    private static let muted = RouteField.choice("status", ["muted"]).needed

    /// What people do with issues.
    static let deciding: [Route] = [
        Route(
            method: "PATCH", pattern: issue, access: .token(.write), body: .json,
            summary: "Opens, resolves, mutes or assigns an issue.", fields: [.text("by")], combinations: changes,
            handler: TriageHandlers.change),
        Route(
            method: "POST", pattern: issue + "/comments", access: .token(.write), body: .json,
            summary: "Comments on an issue.",
            fields: [.text("text", longest: TriageHandlers.longestComment, required: true), .text("by")],
            handler: TriageHandlers.comment),
        Route(
            method: "GET", pattern: issue + "/history", access: .token(.read),
            summary: "What was done with an issue, newest first; also with those that went into it.",
            query: ["cursor", "limit"], handler: TriageHandlers.history),
    ]

    /// The buttons of an issue's page.
    static let issueForms: [Route] = [
        form("resolve", "Resolves the issue.", IssueFormHandlers.resolve),
        form("mute", "Mutes the issue.", IssueFormHandlers.mute),
        form("open", "Opens the issue again.", IssueFormHandlers.open),
        form("assign", "Says who looks after the issue.", IssueFormHandlers.assign),
        form("comment", "Comments on the issue.", IssueFormHandlers.comment),
        form("merge", "Moves all that the issue has into another.", MoveHandlers.mergeForm),
        form("split", "Moves an event, or a variant, into a new issue.", MoveHandlers.splitForm),
        Route(
            method: "POST", pattern: "/moves/{id}/undo", access: .session(.write), body: .form,
            summary: "The page: moves keys and events back.", handler: MoveHandlers.undoForm, answer: .page),
    ]

    /// More of an issue or an event than its page has.
    static let eventPages: [Route] = [
        Route(
            method: "GET", pattern: "/issues/{id}/variants", access: .session(.read),
            summary: "The page: the distinct stacks of an issue.", handler: VariantsPage.show, answer: .page),
        Route(
            method: "GET", pattern: "/events/{id}/grouping", access: .session(.read),
            summary: "The page: why an event is in its issue.", handler: GroupingPage.show, answer: .page),
        Route(
            method: "GET", pattern: "/events/{id}/machine", access: .session(.read),
            summary: "The page: a thread's registers, instructions and memory.", query: ["thread"],
            handler: MachinePage.show, answer: .page),
        Route(
            method: "GET", pattern: "/events/{id}/text", access: .session(.read),
            summary: "The page: the event as text.", handler: EventTextHandlers.show, answer: .text),
        Route(
            method: "GET", pattern: "/events/{id}/core", access: .session(.write),
            summary: "The page: the event as a core file.", handler: MachineHandlers.core, answer: .core),
    ]

    private static func form(_ action: String, _ summary: String, _ handler: @escaping Route.Handler) -> Route {
        Route(
            method: "POST", pattern: "/issues/{id}/" + action, access: .session(.write), body: .form,
            summary: "The page: " + summary, handler: handler, answer: .page)
    }

    /// Merging and splitting.
    static let moving: [Route] = [
        Route(
            method: "POST", pattern: issue + "/merge", access: .token(.write), body: .json,
            summary: "Moves all that an issue has into another.",
            fields: [.integer("into", 1...Int64.max, required: true), .text("by")], handler: MoveHandlers.merge),
        Route(
            method: "POST", pattern: issue + "/split", access: .token(.write), body: .json,
            summary: "Moves events or keys into a new issue.",
            fields: [.text("by")],
            combinations: [
                [.texts("events", pattern: "^[ -~]{1,200}$").needed],
                [.texts("keys", pattern: "^[A-Z]:[0-9A-Za-z]{1,100}$").needed],
            ], handler: MoveHandlers.split),
        Route(
            method: "GET", pattern: issue + "/keys", access: .token(.read),
            summary: "The keys by which an issue is known.", query: ["limit"], handler: MoveHandlers.keys),
        Route(
            method: "GET", pattern: issue + "/moves", access: .token(.read),
            summary: "Merges, splits and folds from or to an issue, newest first.", query: ["limit"],
            handler: MoveHandlers.moves),
        Route(
            method: "POST", pattern: project + "/moves/{id}/undo", access: .token(.write), body: .json,
            summary: "Moves keys and events back.", fields: [.text("by")],
            handler: MoveHandlers.undo),
    ]

    /// Numbers over time.
    static let counting: [Route] = [
        Route(
            method: "GET", pattern: issue + "/counts", access: .token(.read),
            summary: "An issue's events by hour or day.", query: ["unit"] + CountSpan.parameters,
            handler: CountHandlers.issue),
        Route(
            method: "GET", pattern: issue + "/affected", access: .token(.read),
            summary: "The releases, environments or users that an issue touched, those seen last first.",
            query: ["by", "limit"], handler: CountHandlers.affected),
        Route(
            method: "GET", pattern: project + "/counts", access: .token(.read),
            summary: "The project's events by hour or day.", query: ["unit"] + CountSpan.parameters,
            handler: CountHandlers.project),
        Route(
            method: "GET", pattern: project + "/health", access: .token(.read),
            summary: "Crash-free sessions and users by release and day.", query: ["release"] + CountSpan.parameters,
            handler: CountHandlers.health),
    ]
}
