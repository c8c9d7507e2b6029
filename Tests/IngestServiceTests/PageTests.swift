// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct PageTests {
    private static let hostile = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp;\u{202E}\u{0}"

    /// An event whose every text is hostile.
    private func hostileEvent() -> Event {
        let text = Self.hostile
        var event = Samples.crash(1, function: text, message: text)
        event.release = text
        event.environment = text
        event.tags = [text: text]
        event.user = [text: .string(text), "nested": ["a": .string(text)]]
        event.breadcrumbs = [
            Breadcrumb(
                timestamp: Timestamp(milliseconds: 1), level: Level(rawValue: text), category: text, message: text,
                data: [text: .string(text)])
        ]
        event.session = Session(id: text, started: Timestamp(milliseconds: 1), status: SessionStatus(rawValue: text))
        event.loss = [Loss(what: text, why: text)]
        event.contexts = ["process": ["name": .string(text)]]
        event.errors = [ReportedError(type: text, message: text)]
        event.threads[0].name = text
        event.threads[0].registers = [text: HexAddress(1)]
        event.threads[0].frames[0].file = text
        event.threads[0].frames[0].line = 3
        event.threads[0].frames[0].notes = [text]
        event.threads[0].frames[0].trust = FrameTrust(rawValue: text)
        event.threads.append(ThreadState(id: 8, name: text, frames: event.threads[0].frames))
        event.debugImages += [
            DebugImage(
                buildID: nil, codeFile: text, imageAddress: HexAddress(0x100000), imageSize: 16,
                status: ImageStatus(rawValue: text))
        ]
        return event
    }

    @Test func `hostile text is shown as text`() throws {
        let server = try ServerProcess()
        #expect(try server.accepted(try Samples.batch(hostileEvent())).accepted == 1)
        _ = try server.event(1)
        let session = try server.session()
        for path in ["/", "/issues/1", "/events/\(Samples.eventID(1))"] {
            let page = try server.client.send("GET", path, headers: session)
            #expect(page.status == 200)
            #expect(!page.text.contains("<script"), "\(path)")
            #expect(!page.text.contains("<img"), "\(path)")
            #expect(!page.text.contains("\u{202E}"), "\(path)")
            #expect(page.text.contains("&lt;script&gt;"), "\(path)")
            #expect(page.headers["content-security-policy"]?.contains("style-src 'self'") == true)
            #expect(page.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test func `the page shows why, where, and what is missing`() throws {
        let server = try ServerProcess()
        var event = Samples.crash(1, function: "app.load()")
        event.breadcrumbs = [
            Breadcrumb(timestamp: Timestamp(milliseconds: 1), category: "ui", message: "opened the list")
        ]
        event.tags = ["tenant": "blue"]
        event.loss = [Loss(what: "other threads", why: "could not be stopped")]
        event.threads.append(ThreadState(id: 9, name: "pool", frames: event.threads[0].frames))
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        let session = try server.session()
        let page = try server.client.send("GET", "/issues/1", headers: session).text
        for text in [
            "Access to an invalid address in app.load()", "Crashed thread: main (7)", "opened the list", "tenant",
            "blue",
            "other threads", "could not be stopped", "pool (9), 1 frame", "app@1.0", "registers",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(try server.client.send("GET", "/issues/99", headers: session).status == 404)
        #expect(try server.client.send("GET", "/style.css").headers["content-type"]?.hasPrefix("text/css") == true)
    }

    @Test func `an empty server says how to begin`() throws {
        let server = try ServerProcess()
        let page = try server.client.send("GET", "/", headers: try server.session()).text
        #expect(page.contains("vaka upload debug"))
    }

    @Test func `markup is escaped where it is written`() {
        var text = ""
        tag("p", [.className("a\"b"), .href("/?x=<&>")], "1 < 2 & '3'\n\u{1b}").write(to: &text)
        #expect(text == "<p class=\"a&quot;b\" href=\"/?x=&lt;&amp;&gt;\">1 &lt; 2 &amp; &#39;3&#39;\n\u{FFFD}</p>")
    }
}
