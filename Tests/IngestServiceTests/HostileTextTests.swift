// SPDX-License-Identifier: Apache-2.0
import EventText
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

/// What programs, people and addresses say is text on every page, whatever it looks like.
struct HostileTextTests {
    private static let corpus = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg/onload=alert(1)>",
        "</title><script>x</script>",
        "</textarea><iframe src=//evil.example>", "\" autofocus onfocus=alert(1) x=\"", "' style='x:y' '",
        "javascript:alert(1)", "<a href=//evil.example>", "<!-- --><![CDATA[ ]]>", "&lt;b&gt;&#60;b&#62;&amp;",
        "{{7*7}}${7*7}<%= 7 %>", "\u{202E}\u{2066}\u{0}\u{1b}[31m\u{9b}", "\u{FF1C}script\u{FF1E}", "<\u{FEFF}script>",
    ].joined(separator: " ")

    /// Which field it was is told by a word of its own.
    private static func hostile(_ field: String) -> String { "zz-\(field)-zz " + corpus }

    /// Such as an address can name, which ends at a NUL.
    private static var release: String { hostile("release").replacing("\u{0}", with: "") }

    private static let known: Set<String> = [
        "!doctype", "html", "head", "meta", "title", "link", "body", "a", "header", "main", "footer", "nav", "form",
        "input",
        "button", "label", "textarea", "select", "option", "h1", "h2", "h3", "p", "b", "span", "div", "section", "code",
        "pre",
        "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "time", "details", "summary",
        "figure",
        "figcaption", "svg", "rect", "br", "hr", "kbd", "fieldset", "legend", "datalist", "script", "dialog", "small",
        "strong",
    ]

    /// What is markup in a page is markup of ours: known elements, no handlers, no address elsewhere.
    private func check(_ page: String, _ place: String) {
        for tag in page.matches(of: /<[^>]*>/).map({ String($0.0) }) {
            let name = tag.dropFirst().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber || $0 == "!" }
                .lowercased()
            #expect(Self.known.contains(name), "\(place): \(tag.prefix(200))")
            if name == "script" {
                #expect(
                    tag == "</script>" || tag.wholeMatch(of: /<script src="\/[A-Za-z.?=0-9&;_-]+" defer="">/) != nil,
                    "\(tag)")
            }
            let attributes = tag.matches(of: /\s([^\s=>"]+)="([^"]*)"/)
            #expect(!attributes.contains { $0.1.lowercased().hasPrefix("on") || $0.1 == "style" }, "\(place): \(tag)")
            for attribute in attributes where ["href", "src", "action"].contains(attribute.1) {
                let isOwn = attribute.2.hasPrefix("/") && !attribute.2.hasPrefix("//") || attribute.2.hasPrefix("#")
                #expect(isOwn, "\(place): \(tag)")
            }
        }
        let controls = page.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7f...0x9f).contains($0.value)
                || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
        }
        #expect(controls.isEmpty, "\(place)")
    }

    private func event(_ number: Int) -> Event {
        let hostile = Self.hostile
        var event = Samples.crash(number, function: hostile("function"), message: hostile("message"))
        event.release = Self.release
        event.environment = hostile("environment")
        event.tags = [hostile("tag-name"): hostile("tag")]
        event.user = [hostile("user-name"): .string(hostile("user")), "nested": ["a": .string(hostile("nested"))]]
        event.session = Session(
            id: hostile("session"), started: Timestamp(milliseconds: 1),
            status: SessionStatus(rawValue: hostile("status")))
        event.contexts = ["process": ["name": .string(hostile("process"))], hostile("context"): [hostile("key"): "x"]]
        event.loss = [Loss(what: hostile("loss"), why: hostile("loss-why"))]
        event.errors = [ReportedError(type: hostile("error"), message: hostile("error-message"))]
        event.reason?.signal = hostile("signal")
        event.reason?.code = hostile("code")
        event.reason?.senderPID = 7
        event.reason?.senderName = hostile("sender")
        event.breadcrumbs = [
            Breadcrumb(
                timestamp: Timestamp(milliseconds: 1), level: Level(rawValue: hostile("level")),
                category: hostile("category"),
                message: hostile("crumb"), data: [hostile("data-name"): .string(hostile("data"))]),
            Breadcrumb(
                timestamp: .now, category: "http", message: nil,
                data: [
                    "url": .string(hostile("url")), "method": .string(hostile("method")),
                    "status": .string(hostile("http-status")), "error": .string(hostile("http-error")),
                    "duration_ms": -1e300, "request_bytes": -1,
                ]),
            Breadcrumb(
                timestamp: Timestamp(milliseconds: 253_402_300_799_000), category: "http", message: nil,
                data: ["url": "x", "duration_s": 1e300, "status": .integer(.min), "response_bytes": .integer(.max)]),
        ]
        event.threads[0].name = hostile("thread")
        event.threads[0].registers = [hostile("register"): HexAddress(1), "rip": HexAddress(0x1010)]
        event.threads[0].frames[0].file = hostile("file")
        event.threads[0].frames[0].line = 3
        event.threads[0].frames[0].notes = [hostile("note")]
        event.threads[0].frames[0].trust = FrameTrust(rawValue: hostile("trust"))
        event.threads.append(ThreadState(id: 8, name: hostile("other-thread"), frames: event.threads[0].frames))
        event.threads[1].frames[0].function = hostile("other-function")
        event.threads[1].frames[0].instructionAddress = HexAddress(0x1020)
        event.debugImages += [
            DebugImage(
                buildID: nil, codeFile: hostile("image"), imageAddress: HexAddress(0x100000), imageSize: 16,
                status: ImageStatus(rawValue: hostile("image-status")))
        ]
        return event
    }

    @Test func `it is text on every page`() throws {
        let server = try ServerProcess()
        _ = try server.accepted(try Samples.batch(event(1), event(2)))
        _ = try server.event(2)
        for (path, field) in [("comments", "text"), ("comments", "by")] {
            let long = Self.hostile("comment-\(field)").unicodeScalars.prefix(200).map(String.init).joined()
            let fields = ["text": "x", "by": "y"].merging([field: long]) { $1 }
            let sent = try server.client.send(
                "POST", "/api/v1/projects/default/issues/1/\(path)",
                headers: server.tokenHeader.merging(["Content-Type": "application/json"]) { $1 },
                body: try ModelCoding.encode(fields))
            #expect(sent.status == 201, "\(sent.text)")
        }
        let session = try server.session()
        let query = FormCoding.encode(Self.hostile("query"))
        let event = "/events/" + Samples.eventID(1)
        let paths = [
            "/", "/?query=\(query)&sort=last_seen", "/issues/1", "/issues/1?thread=8&x=\(query)", "/issues/1/variants",
            event,
            event + "?thread=8", event + "/grouping", event + "/machine", event + "/machine?thread=8", "/releases",
            "/release?name=\(FormCoding.encode(Self.release))", "/images", "/operation", "/account", "/projects",
            "/login?next=\(query)",
        ]
        var all = ""
        for path in paths {
            let page = try server.client.send("GET", path, headers: session)
            #expect(page.status == 200 || path.contains("query=") && page.status == 400, "\(path): \(page.status)")
            #expect(
                page.status != 200 || page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(page.headers["x-content-type-options"] == "nosniff")
            guard page.headers["content-type"]?.hasPrefix("text/html") == true else { continue }
            check(page.text, path)
            all += page.text
        }
        let shown = [
            "function", "message", "release", "environment", "tag-name", "tag", "user-name", "user", "nested",
            "session",
            "status", "process", "context", "key", "loss", "loss-why", "error", "error-message", "code", "sender",
            "category",
            "crumb", "data-name", "data", "url", "method", "http-status", "http-error", "thread", "register", "file",
            "note",
            "trust", "other-thread", "other-function", "image", "comment-text", "comment-by",
        ]
        for field in shown { #expect(all.contains("zz-\(field)-zz &lt;script&gt;"), "\(field)") }
        // Plain text is no page, whoever opens it.
        let text = try server.client.send("GET", event + "/text", headers: session)
        #expect(
            text.headers["content-type"]?.hasPrefix("text/plain") == true
                && text.text.contains("zz-function-zz <script>"))
        #expect(text.headers["content-security-policy"] == "sandbox")
    }

    /// What no report can say by itself: source lines come from bundles, instructions from images.
    @Test func `so it is in source lines and instructions`() {
        var frame = Frame(instructionAddress: HexAddress(1), trust: .cfi, function: "f", file: "f.c", line: 2)
        frame.sourceContext = SourceContext(
            pre: [Self.hostile("pre")], line: Self.hostile("line"), post: [Self.hostile("post")], origin: .bundle,
            verified: true)
        var state = MachineState(thread: 1)
        state.registers = [.init(name: Self.hostile("register"), value: HexAddress(1), place: Self.hostile("place"))]
        state.instructions = [
            .init(
                address: HexAddress(1), bytes: Self.hostile("bytes"), text: Self.hostile("text"), isCurrent: true,
                function: Self.hostile("function"), file: Self.hostile("file"), line: 1, target: Self.hostile("target"))
        ]
        state.memory = [.init(registers: [Self.hostile("pointer")], address: HexAddress(1), bytes: "3c7363726970743e")]
        var beyond = frame
        beyond.line = .max
        var before = frame
        before.line = .min
        #expect(ReportText.frames([beyond, before]).contains("\(Int.min)"))
        var page = ""
        StackView(links: nil).list([frame, beyond, before], truncated: false).write(to: &page)
        MachinePage(eventID: "1", title: Self.hostile("title"), state: state).content.forEach { $0.write(to: &page) }
        check(page, "rendered")
        for field in [
            "pre", "line", "post", "register", "place", "bytes", "text", "function", "file", "target", "pointer",
            "title",
        ] { #expect(page.contains("zz-\(field)-zz &lt;script&gt;"), "\(field)") }
        #expect(page.contains("&lt;script&gt;"))
    }
}
