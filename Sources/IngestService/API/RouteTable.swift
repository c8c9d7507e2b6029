// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Every address of the service.
enum RouteTable {
    static let routes: [Route] =
        sending + reading + deciding + moving + counting + images + linking + alerting + operating + accounts
        + scrubbing + pages
        + network + siteSections + settings + accountPages + issueForms + eventPages

    static let project = "/api/v1/projects/{p}"

    private static let sending: [Route] = [
        Route(
            method: "POST", pattern: "/api/v1/ingest", access: .ingestKey, body: .batch,
            summary: "Accepts a batch; 202 once it is durable.", lateHandler: IngestHandler.ingest),
        Route(
            method: "GET", pattern: "/api/v1/sdk-settings", access: .ingestKey,
            summary: "The project's switches for the SDK.", handler: SettingsHandlers.settings),
    ]

    private static let reading: [Route] = [
        Route(
            method: "GET", pattern: project + "/issues", access: .token(.read), summary: "Issues that a query chooses.",
            query: ["cursor", "limit"] + IssueQuery.parameters, handler: IssueHandlers.issues),
        Route(
            method: "GET", pattern: project + "/issues/{id}", access: .token(.read),
            summary: "An issue; a folded one's id leads to the issue it went into.", handler: IssueHandlers.issue),
        Route(
            method: "GET", pattern: project + "/issues/{id}/events", access: .token(.read),
            summary: "An issue's events, newest first.", query: ["cursor", "limit"], handler: IssueHandlers.events),
        Route(
            method: "GET", pattern: project + "/events/{id}", access: .token(.read),
            summary: "The symbolicated document.", handler: IssueHandlers.event),
        Route(
            method: "GET", pattern: project + "/events/{id}/grouping", access: .token(.read),
            summary: "The event's keys and why each frame was kept or dropped.", handler: IssueHandlers.grouping),
        Route(
            method: "GET", pattern: project + "/events/{id}/text", access: .token(.read),
            summary: "The event as text, as the command prints it.", handler: EventTextHandlers.show, answer: .text),
        Route(
            method: "GET", pattern: project + "/events/{id}/machine", access: .token(.read),
            summary: "A thread's registers, the instructions around its own, and the memory that was captured there.",
            query: ["thread"], handler: MachineHandlers.show),
        Route(
            method: "GET", pattern: project + "/events/{id}/core", access: .token(.write),
            summary: "The event as an ELF core file for gdb and lldb, with what is kept of its memory.",
            handler: MachineHandlers.core, answer: .core),
        Route(
            method: "GET", pattern: project + "/events/{id}/missing-images", access: .token(.read),
            summary: "Who can give the images that would make its frames readable, and by which command.",
            handler: MissingImageHandlers.list),
        Route(
            method: "GET", pattern: project + "/events/{id}/attachments", access: .token(.read),
            summary: "The files that came with the event.", handler: AttachmentHandlers.list),
        Route(
            method: "GET", pattern: project + "/events/{id}/attachments/{number}", access: .token(.read),
            summary: "One of them, as it came.", handler: AttachmentHandlers.file, answer: .bytes),
        Route(
            method: "GET", pattern: project + "/events/{id}/recordings", access: .token(.read),
            summary: "The last moments on the screen before the event, as parts of a recording.",
            handler: RecordingHandlers.ofEvent),
        Route(
            method: "GET", pattern: project + "/recordings", access: .token(.read),
            summary:
                "Parts of screen recordings, those that came last first; of one recording, session, user or release.",
            query: ["recording", "cursor", "limit"] + RecordingHandlers.parameters, handler: RecordingHandlers.list),
        Route(
            method: "GET", pattern: project + "/recordings/{number}", access: .token(.read),
            summary: "One part of a recording, with its frames.", handler: RecordingHandlers.one),
        Route(
            method: "GET", pattern: project + "/releases", access: .token(.read),
            summary: "Releases with their events, sessions and requests.", handler: IssueHandlers.releases),
        Route(
            method: "GET", pattern: project + "/installations", access: .token(.read),
            summary:
                "Where the programs are, the latest first, with the batches that came, came again, and never came.",
            query: ["cursor", "limit"], handler: InstallationHandlers.installations),
        Route(
            method: "GET", pattern: project + "/losses", access: .token(.read),
            summary: "What programs say they gave up, by reason.", handler: InstallationHandlers.losses),
        Route(
            method: "GET", pattern: project + "/sdk-settings", access: .token(.read),
            summary: "The project's switches for the SDK.", handler: SettingsHandlers.settings),
        Route(
            method: "POST", pattern: project + "/sdk-settings", access: .token(.admin), body: .json,
            summary: "Replaces the switches by those of the body, an object.", fields: SettingsHandlers.fields,
            takesOtherFields: true, handler: SettingsHandlers.replace),
    ]

    private static let images: [Route] = [
        Route(
            method: "POST", pattern: project + "/artifacts", access: .token(.upload), body: .image,
            summary: "Uploads a debug image, its package or a source bundle (the file is the body).",
            query: ["kind", "name", "release", "build_id"],
            handler: ArtifactHandlers.upload),
        Route(
            method: "POST", pattern: project + "/uploads", access: .token(.upload),
            summary: "Begins an upload in parts, or finds the unfinished one of the same file.",
            query: ["kind", "name", "release", "build_id", "size", "sha256"], required: ["size", "sha256"],
            handler: UploadHandlers.begin),
        Route(
            method: "GET", pattern: project + "/uploads/{id}", access: .token(.upload),
            summary: "How much of an upload has come, and what became of it.", handler: UploadHandlers.state),
        Route(
            method: "POST", pattern: project + "/uploads/{id}", access: .token(.upload), body: .part,
            summary: "Appends the body to an upload of which `offset` bytes have come.", query: ["offset"],
            required: ["offset"],
            handler: UploadHandlers.part),
        Route(
            method: "POST", pattern: project + "/uploads/{id}/finish", access: .token(.upload),
            summary: "Checks and takes the file that has come whole.", handler: UploadHandlers.finish),
        Route(
            method: "GET", pattern: project + "/artifacts", access: .token(.images),
            summary: "Uploaded images and source bundles, newest first.",
            query: ["build_id", "unused_days", "cursor", "limit"], handler: ArtifactHandlers.list),
        Route(
            method: "POST", pattern: project + "/artifacts/remove-unused", access: .token(.admin),
            summary: "Removes what no stored event needs and what was uploaded more than so many days ago.",
            query: ["unused_days"], required: ["unused_days"], handler: UnusedImageHandlers.remove),
        Route(
            method: "GET", pattern: "/buildid/{id}/debuginfo", access: .token(.images),
            summary: "debuginfod: the file that names addresses.", handler: ArtifactHandlers.debuginfo, answer: .bytes),
        Route(
            method: "GET", pattern: "/buildid/{id}/executable", access: .token(.images),
            summary: "debuginfod: the file that was loaded.", handler: ArtifactHandlers.executable, answer: .bytes),
        Route(
            method: "GET", pattern: "/buildid/{id}/section/{name}", access: .token(.images),
            summary: "debuginfod: a section's bytes.", handler: ArtifactHandlers.section, answer: .bytes),
        Route(
            method: "GET", pattern: "/buildid/{id}/source/{path...}", access: .token(.images),
            summary: "debuginfod: a source file of the image's bundle.", handler: ArtifactHandlers.source,
            answer: .bytes),
    ]

    private static let operating: [Route] = [
        Route(
            method: "GET", pattern: project + "/limits", access: .token(.read),
            summary: "What may come in a minute, what is kept, and what was turned away since the start.",
            handler: LimitHandlers.show),
        Route(
            method: "PUT", pattern: project + "/limits", access: .token(.admin),
            summary:
                "Sets limits a minute, and what is kept: a number, 0 for no limit, or default for the server's own.",
            query: ["project_items", "key_items", "issue_events", "keep_days", "keep_issue_events", "keep_events"],
            handler: LimitHandlers.set),
        Route(
            method: "POST", pattern: project + "/reprocess", access: .token(.admin),
            summary: "Works on stored events again whose reports are kept: one, an issue's, or those of so many days.",
            query: ["event", "issue", "days"], handler: ReprocessHandlers.reprocess),
        Route(
            method: "POST", pattern: "/api/v1/login-links", access: .token(.read),
            summary: "Makes a link that logs a person in once.", query: ["next"], handler: LoginHandlers.makeLink),
        Route(
            method: "GET", pattern: "/metrics", access: .loopbackOrToken, summary: "Prometheus text.",
            handler: OperationHandlers.metrics, answer: .text),
        Route(
            method: "GET", pattern: "/healthz", access: .open, summary: "The process answers.",
            handler: OperationHandlers.health),
        Route(
            method: "GET", pattern: "/readyz", access: .open, summary: "The service can take and work on reports.",
            handler: OperationHandlers.ready),
        Route(
            method: "GET", pattern: "/openapi.json", access: .open, summary: "This description.",
            handler: OperationHandlers.description),
    ]

    private static let pages: [Route] = [
        Route(
            method: "GET", pattern: "/", access: .session(.read), summary: "The page: issues.",
            query: ["cursor", "limit"] + IssueQuery.parameters,
            handler: PageHandlers.issues, answer: .page),
        Route(
            method: "GET", pattern: "/issues/{id}", access: .session(.read),
            summary: "The page: an issue with its latest event.", query: ["thread"],
            handler: PageHandlers.issue, answer: .page),
        Route(
            method: "GET", pattern: "/events/{id}", access: .session(.read), summary: "The page: an event.",
            query: ["thread"],
            handler: PageHandlers.event, answer: .page),
        Route(
            method: "GET", pattern: "/events/{id}/attachments/{number}", access: .session(.read),
            summary: "The page: a file that came with the event.", handler: AttachmentHandlers.file, answer: .bytes),
        Route(
            method: "GET", pattern: "/login", access: .open,
            summary: "The form to log in by; with a one-time link, the login.",
            query: ["once", "next"], handler: LoginHandlers.form, answer: .page),
        Route(
            method: "POST", pattern: "/login", access: .open, body: .form, summary: "Logs in by an admin token.",
            handler: LoginHandlers.logIn, answer: .page),
        Route(
            method: "POST", pattern: "/logout", access: .session(nil), body: .form, summary: "Ends the session.",
            handler: LoginHandlers.logOut, answer: .page),
        Route(
            method: "GET", pattern: PageFile.style.path, access: .open, summary: "The page's style.", query: ["v"],
            handler: PageFile.style.answer, answer: .style),
        Route(
            method: "GET", pattern: PageFile.script.path, access: .open,
            summary: "The page's script, which no page needs.", query: ["v"], handler: PageFile.script.answer,
            answer: .script),
    ]
}
