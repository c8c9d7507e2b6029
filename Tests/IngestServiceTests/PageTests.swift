// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct PageTests {
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
            "other threads", "could not be stopped", "<b>pool (9)</b><span class=\"hint\">1 frame</span>", "app@1.0",
            "registers",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(try server.client.send("GET", "/issues/99", headers: session).status == 404)
        #expect(try server.client.send("GET", "/style.css").headers["content-type"]?.hasPrefix("text/css") == true)
    }

    @Test func `the other parts of the site`() throws {
        let server = try ServerProcess()
        var events = (1...3).map { Samples.crash($0, function: "app.load()") }
        for index in events.indices {
            events[index].release = index == 0 ? "app@2.0" : "app@1.0"
            events[index].timestamp = .now
            events[index].session = Session(id: "s\(index)", started: .now, status: .crashed)
            // Waits for the image, which would unwind what was captured.
            events[index].threads[0].frames[0].status = .missingImage
            events[index].threads[0].stack = MemoryRegion(
                address: HexAddress(0x7ffd_0000_0000), data: Data(repeating: 7, count: 64))
        }
        for event in events { _ = try server.accepted(try Samples.batch(event)) }
        for number in 1...3 { _ = try server.event(number) }
        let session = try server.session()
        func page(_ path: String) throws -> String {
            let answer = try server.client.send("GET", path, headers: session)
            #expect(answer.status == 200, "\(path)")
            return answer.text
        }
        let list = try page("/")
        #expect(list.contains("aria-label=\"3 events in 14 days, 3 of them today\""))
        #expect(list.contains("<a href=\"/\" aria-current=\"page\">Issues</a>"))
        let releases = try page("/releases")
        #expect(releases.contains("app@2.0") && releases.contains("app@1.0"))
        let both = try page("/release?name=app%402.0&with=app%401.0")
        #expect(both.contains("<th scope=\"col\">app@2.0</th><th scope=\"col\">app@1.0</th>"))
        #expect(try server.client.send("GET", "/release?name=none", headers: session).status == 404)
        let images = try page("/images")
        #expect(images.contains("/events/" + Samples.eventID(3)), "the latest event that waits")
        #expect(images.contains("vaka upload debug --url \(server.credentials.url)"))
        let operation = try page("/operation")
        #expect(operation.contains("<th scope=\"row\"><code>vaka_events_stored_total</code></th><td>3</td>"))
        // From one event to the next.
        let middle = try page("/events/" + Samples.eventID(2))
        #expect(middle.contains("/events/\(Samples.eventID(1))\">← Event before"))
        #expect(middle.contains("/events/\(Samples.eventID(3))\">Next event →"))
    }

    @Test func `the reader's choice of colours is kept, and leads nowhere else`() throws {
        let server = try ServerProcess()
        func choose(_ form: String, origin: String? = nil) throws -> HTTPClient.Response {
            var headers = ["Content-Type": "application/x-www-form-urlencoded"]
            headers["Origin"] = origin
            return try server.client.send("POST", "/theme", headers: headers, body: Data(form.utf8))
        }
        let dark = try choose("theme=dark&next=%2Flogin")
        #expect(dark.status == 303 && dark.headers["location"] == "/login")
        let cookie = try #require(dark.headers["set-cookie"]?.split(separator: ";").first)
        #expect(cookie == "vaka_theme=dark")
        let page = try server.client.send("GET", "/login", headers: ["Cookie": String(cookie)])
        #expect(page.text.contains("<html lang=\"en\" data-theme=\"dark\">"))
        let unknown = try server.client.send("GET", "/login", headers: ["Cookie": "vaka_theme=\"><b>"])
        #expect(unknown.text.contains("<html lang=\"en\">"))
        #expect(try choose("theme=&next=//evil.example").headers["location"] == "/")
        #expect(try choose("theme=dark", origin: "https://evil.example").status == 403)
    }

    @Test func `frames of others are folded between the program's own`() throws {
        let server = try ServerProcess()
        var event = Samples.crash(1, function: "app.load()")
        var own = event.threads[0].frames[0]
        own.inApp = true
        var other = own
        other.instructionAddress = HexAddress(0x10_0010)
        other.buildID = BuildID(hex: "ef01")
        other.inApp = false
        other.module = "libother.so"
        event.debugImages.append(
            DebugImage(
                buildID: other.buildID, codeFile: "/usr/lib/libother.so", imageAddress: HexAddress(0x10_0000),
                imageSize: 0x1000))
        event.threads[0].frames = [other, other, other, own, other, own]
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        let page = try server.client.send("GET", "/issues/1", headers: try server.session()).text
        #expect(page.contains("<summary>2 frames of libother.so</summary>"))
        #expect(page.ranges(of: "class=\"folded\"").count == 1, "a single one is not folded")
    }

    @Test func `an empty server says how to begin`() throws {
        let server = try ServerProcess()
        let reader = try PageReader(server)
        #expect(try reader.page("/").text.contains("href=\"/start\""))
        let start = try reader.page("/start").text
        #expect(start.contains("vaka run --url \(server.credentials.url) --key vk_…"))
        #expect(start.contains("vaka upload debug .build/release --include-sources --url \(server.credentials.url)"))
        let withKey = try reader.send("/start").text
        let key = try #require(withKey.firstMatch(of: /--key (vk_[A-Za-z0-9_-]{43})/).map { String($0.1) })
        let batch = Data(try Samples.batch(Samples.crash(1)).utf8)
        let sent = try server.client.send(
            "POST", "/api/v1/ingest", headers: ["Authorization": "Bearer \(key)"], body: batch)
        #expect(sent.status == 202)
        _ = try server.event(1)
        let news = try reader.page("/start.json?known=").text
        #expect(news.contains(Samples.eventID(1)))
        #expect(try reader.page("/start.json?known=" + Samples.eventID(1)).text == "{\"event\":null}")
        #expect(try reader.page("/start").text.contains("/events/" + Samples.eventID(1)))
    }

    @Test func `what all pages share is named by its content, and kept by browsers`() throws {
        let server = try ServerProcess()
        let page = try server.client.send("GET", "/login").text
        for pattern in [/href="(\/style\.css\?v=[^"]+)"/, /src="(\/vaka\.js\?v=[^"]+)"/] {
            let address = try #require(page.firstMatch(of: pattern).map { String($0.1) })
            let file = try server.client.send("GET", address)
            #expect(file.status == 200 && file.headers["cache-control"]?.contains("immutable") == true)
            let other = try server.client.send("GET", String(address.prefix { $0 != "?" }) + "?v=other")
            #expect(other.body == file.body && other.headers["cache-control"] == "no-cache")
        }
    }

    @Test func `markup is escaped where it is written`() {
        var text = ""
        tag(
            "p", [.className("a\"b"), .href("/?x=<&>")], "1 < 2 & '3'\n\u{1b}", "é\u{85}−\u{202e}\u{2067}\t…", "\u{7f}"
        ).write(
            to: &text)
        #expect(
            text
                == "<p class=\"a&quot;b\" href=\"/?x=&lt;&amp;&gt;\">1 &lt; 2 &amp; &#39;3&#39;\n\u{FFFD}é\u{FFFD}−\u{FFFD}\u{FFFD}\t…\u{FFFD}</p>"
        )
    }
}
