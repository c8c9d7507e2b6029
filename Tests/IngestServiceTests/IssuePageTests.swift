// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct IssuePageTests {
    private func page(_ server: ServerProcess, _ path: String, _ session: [String: String]) throws -> String {
        let page = try server.client.send("GET", path, headers: session)
        #expect(page.status == 200, "\(path): \(page.status) \(page.text.prefix(300))")
        return page.text
    }

    private func post(
        _ server: ServerProcess, _ path: String, _ session: [String: String], _ fields: String
    ) throws -> HTTPClient.Response {
        let form = try page(server, "/account", session)
        let proof = String(try #require(form.firstMatch(of: /name="form" value="([^"]+)"/)?.1))
        let headers = session.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 }
        return try server.client.send("POST", path, headers: headers, body: Data("form=\(proof)&\(fields)".utf8))
    }

    /// 200 threads of 50 frames, as different as those of a real program.
    private func large() -> Event {
        var event = Samples.crash(1)
        let frames = (0..<10_000).map { number in
            var frame = event.threads[0].frames[0]
            frame.instructionAddress = HexAddress(0x1000 + UInt64(number * 7919 % 4000))
            frame.function =
                "Shop.Cart\(number % 977).update(item\(number * 31 % 4096): Item, count: Int) throws -> Receipt"
            frame.symbol = frame.function
            frame.file = "/home/build/shop/Sources/Shop/Cart\(number % 977).swift"
            frame.line = number * 13 % 1500 + 1
            frame.inApp = number % 3 != 0
            return frame
        }
        event.threads = (0..<200).map { index in
            ThreadState(
                id: 1000 + index, name: "worker-\(index)", crashed: index == 3,
                registers: ["rip": HexAddress(0x1010), "rsp": HexAddress(0x7fff_0000)],
                frames: Array(frames[index * 50..<(index + 1) * 50]))
        }
        event.breadcrumbs = (0..<200).map { number in
            Breadcrumb(
                timestamp: Timestamp(milliseconds: 1_699_999_000_000 + Int64(number) * 4000), category: "ui",
                message: "step \(number) of the order \(number * 7919 % 65536)")
        }
        return event
    }

    @Test func `an event with 200 threads and 10,000 frames is a small page, and every frame is reachable`() throws {
        let server = try ServerProcess()
        _ = try server.accepted(try Samples.batch(large()))
        _ = try server.event(1)
        let session = try server.session()
        let begun = ContinuousClock.now
        let packed = try server.client.send(
            "GET", "/issues/1", headers: session.merging(["Accept-Encoding": "gzip"]) { $1 })
        let took = ContinuousClock.now - begun
        let text = try CompressionTests.unpacked(packed.body)
        print("issue page of 10,000 frames: \(packed.body.count) bytes compressed, \(text.utf8.count) plain, \(took)")
        #expect(packed.body.count < 300_000)
        #expect(text.utf8.count < 1_500_000)
        #expect(text.contains("Crashed thread: worker-3 (1003)") && text.contains("Other threads (199)"))
        // By links alone, all of each thread.
        let links = Set(text.matches(of: /href="(\/events\/[0-9a-f]+\?thread=\d+)#thread"/).map { String($0.1) })
        let names = Set(text.matches(of: /<b>worker-(\d+) \(/).map { String($0.1) })
        #expect(names.count == 199)
        #expect(links.count >= 190)
        let last = try page(server, "/events/\(Samples.eventID(1))?thread=1199", session)
        #expect(last.contains("Thread: worker-199 (1199)") && last.contains("Back to worker-3 (1003)"))
        let document = try server.event(1)
        for frame in document.threads[199].frames {
            #expect(last.contains(":\(try #require(frame.line))<"), "\(frame.function ?? "")")
        }
        let whole = try page(server, "/events/\(Samples.eventID(1))/text", session)
        #expect(whole.ranges(of: "\nThread 1").count == 200)
    }

    @Test func `what led up to it is a time line, with exchanges over the network`() throws {
        let server = try ServerProcess()
        var event = Samples.crash(1)
        let time = event.timestamp.milliseconds
        event.breadcrumbs = [
            Breadcrumb(timestamp: Timestamp(milliseconds: time - 90_000), category: "ui", message: "opened the cart"),
            Breadcrumb(
                timestamp: Timestamp(milliseconds: time - 2500), category: "http", message: nil,
                data: [
                    "method": "POST", "url": "https://shop.example/orders", "status": 503, "duration_ms": 1234.5,
                    "request_bytes": 2048, "response_bytes": 17, "attempt": 2,
                ]),
        ]
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        let page = try page(server, "/issues/1", try server.session())
        for text in [
            "−2.5 s</time>", "title=\"2023-11-14T22:11:50.000Z\">−90.0 s</time>", "POST https://shop.example/orders",
            "<span class=\"badge missing\">503</span>", "1.2 s", "2.0 KiB sent", "17 bytes received", "attempt=2",
            "2 breadcrumbs in 90.0 s", "opened the cart",
        ] { #expect(page.contains(text), "\(text)") }
        let newest = try #require(page.firstRange(of: "shop.example/orders</code>"))
        let oldest = try #require(page.firstRange(of: "class=\"text\">opened the cart"))
        #expect(newest.lowerBound < oldest.lowerBound)
    }

    @Test func `issues are merged, split and put back by forms`() throws {
        let server = try ServerProcess()
        func variant(_ number: Int, _ inner: String) -> Event {
            var event = Samples.crash(number)
            let frame = event.threads[0].frames[0]
            var library = frame
            (library.function, library.symbol, library.module, library.inApp) = (inner, inner, "libc.so.6", false)
            library.instructionAddress = HexAddress(0x20_0010)
            library.buildID = BuildID(hex: "ef01")
            event.debugImages.append(
                DebugImage(
                    buildID: library.buildID, codeFile: "/lib/libc.so.6", imageAddress: HexAddress(0x20_0000),
                    imageSize: 0x1000))
            event.threads[0].frames = [frame, library]
            return event
        }
        var other = Samples.crash(4, function: "app.other()")
        other.threads[0].frames[0].instructionAddress = HexAddress(0x1fff)
        _ = try server.accepted(try Samples.batch(variant(1, "start"), variant(2, "start"), variant(3, "clone"), other))
        _ = try server.event(4)
        let session = try server.session()
        let explained = try page(server, "/events/\(Samples.eventID(1))/grouping", session)
        #expect(explained.contains("app.f()") && explained.contains(">kept<") && explained.contains("Functions"))

        let variants = try page(server, "/issues/1/variants", session)
        #expect(variants.contains("2 distinct stacks in 3 kept events"), "\(variants)")
        #expect(variants.contains("1. 2 events") && variants.contains("2. 1 event"))
        let ids = variants.matches(of: /name="variant" value="([0-9a-f]+)"/).map { String($0.1) }
        #expect(ids.count == 2)
        let split = try post(server, "/issues/1/split", session, "variant=\(ids[1])")
        #expect(split.status == 303 && split.headers["location"] == "/issues/3", "\(split.text)")
        let made = try page(server, "/issues/3", session)
        #expect(made.contains("1 event") && made.contains("Merges and splits") && made.contains(">Undo<"))
        #expect(try server.json("events/\(Samples.eventID(3))/grouping")["title"] != nil)

        let undone = try post(server, "/moves/1/undo", session, "")
        #expect(undone.headers["location"] == "/issues/1", "\(undone.text)")
        #expect(try page(server, "/issues/1", session).contains("(undone)"))
        let merged = try post(server, "/issues/2/merge", session, "into=%231")
        #expect(merged.headers["location"] == "/issues/1", "\(merged.text)")
        #expect(try server.client.send("GET", "/issues/2", headers: session).headers["location"] == "/issues/1")
        let one = try post(server, "/issues/1/split", session, "event=\(Samples.eventID(4))")
        #expect(one.status == 303 && one.headers["location"] != "/issues/1", "\(one.text)")

        #expect(try post(server, "/issues/1/merge", session, "into=99").status == 404)
        #expect(try post(server, "/issues/1/merge", session, "into=x").status == 400)
        #expect(try post(server, "/issues/1/split", session, "variant=0123").status == 404)
        let foreign = try server.client.send(
            "POST", "/issues/1/merge", headers: session, body: Data("into=3&form=made-up".utf8))
        #expect(foreign.status == 403)
    }

    @Test func `events of releases over time are drawn, and told in a table`() throws {
        let server = try ServerProcess()
        let events = (1...6).map { number in
            var event = Samples.crash(number)
            event.timestamp = Timestamp(milliseconds: Timestamp.now.milliseconds - Int64(number % 2) * 86_400_000)
            event.release = number < 5 ? "app@1.0" : nil
            return event
        }
        _ = try server.accepted(Samples.batch(try events.map { try Samples.item($0) }))
        _ = try server.event(6)
        let page = try page(server, "/issues/1", try server.session())
        #expect(page.contains("Kept events by day and release, at most 3 a day"))
        #expect(page.ranges(of: "<rect class=\"release-0\"").count == 2)
        #expect(page.contains("app@1.0: 2 events</title>") && page.contains("no release: 1 event</title>"))
        #expect(page.contains("<th scope=\"col\">app@1.0</th><th scope=\"col\">no release</th>"))
    }

    @Test func `readers see no captured memory and no buttons`() throws {
        let server = try ServerProcess()
        var event = Samples.crash(1)
        event.threads[0].registers = ["rip": HexAddress(0x1010), "rsp": HexAddress(0x7000)]
        event.threads[0].stack = MemoryRegion(address: HexAddress(0x7000), data: Data("secret on the stack!".utf8))
        event.threads[0].frames[0].status = .missingImage
        event.threads[0].frames[0].function = nil
        event.threads[0].frames[0].symbol = nil
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        try server.addUser("reader", role: "read-only", password: "correct horse battery")
        let reader = try server.session(of: "reader", "correct horse battery")
        let path = "/events/\(Samples.eventID(1))"
        let machine = try page(server, path + "/machine", reader)
        #expect(machine.contains("captured memory is shown to members of the project only"))
        #expect(!machine.contains("class=\"dump\""))
        #expect(machine.contains("upload it"), "why there are no instructions")
        #expect(try server.client.send("GET", path + "/core", headers: reader).status == 403)
        let own = try page(server, "/issues/1", reader)
        #expect(!own.contains("action=\"/issues/1") && own.contains("members of the project may download it"))
        let all = try page(server, path + "/machine", try server.session())
        #expect(all.contains("secret on the st") && all.contains("← rsp"))
        #expect(all.contains("stack of thread 7"))
        let core = try server.client.send("GET", path + "/core", headers: try server.session())
        #expect(core.status == 200 && core.headers["content-type"] == "application/x-core", "\(core.text.prefix(300))")
        #expect(
            core.body.starts(with: [0x7f, 0x45, 0x4c, 0x46]) && core.body.firstRange(of: Data("secret on".utf8)) != nil)
        #expect(try server.client.send("GET", "/metrics").text.contains("vaka_cores_made_total 1"))
        let token = try server.get("events/\(Samples.eventID(1))/machine?thread=7")
        #expect(
            token.status == 200 && token.text.contains("\"why_no_instructions\":\"the file of app"), "\(token.text)")
        #expect(try server.get("events/\(Samples.eventID(1))/machine?thread=x").status == 400)
        // Without a register there is nothing that a debugger could show.
        _ = try server.accepted(try Samples.batch(Samples.crash(2)))
        _ = try server.event(2)
        let none = try server.get("events/\(Samples.eventID(2))/core")
        #expect(none.status == 404 && none.text.contains("no thread's registers"), "\(none.text)")
    }

    @Test func `readers see no instructions that are captured memory`() throws {
        let server = try ServerProcess()
        var event = Samples.crash(1)
        event.threads[0].registers = ["rip": HexAddress(0x9004)]
        event.threads[0].frames[0].status = .missingImage
        event.memory = [MemoryRegion(address: HexAddress(0x9000), data: Data([0x90, 0x90, 0x90, 0x90, 0xc3, 0x90]))]
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        try server.addUser("reader", role: "read-only", password: "correct horse battery")
        let path = "/events/\(Samples.eventID(1))/machine"
        let why = "which is in no image, and captured memory is shown to members of the project only"
        let seen = try page(server, path, try server.session(of: "reader", "correct horse battery"))
        #expect(seen.contains(why) && !seen.contains("class=\"bytes\""))
        let token = try server.token("read")
        let answer = try server.made("GET", "/projects/default" + path, token: token)
        #expect(answer["instructions"]?.array.isEmpty == true && answer["instructions_from"] == .null, "\(answer)")
        #expect(answer["why_no_instructions"]?.string?.contains(why) == true)
        #expect(try server.get(path.dropFirst().description).text.contains("\"instructions_from\":\"memory\""))
        #expect(try page(server, path, try server.session()).contains("As captured from the process."))
    }

    @Test func `a browser is refused in words, a program in JSON`() throws {
        let server = try ServerProcess()
        let session = try server.session()
        for (path, words) in [
            ("/issues/99", "Not found"), ("/nowhere", "Not found"), ("/events/x%3Cb%3E", "&lt;b&gt;"),
        ] {
            let page = try server.client.send(
                "GET", path, headers: session.merging(["Accept": "text/html,*/*;q=0.8"]) { $1 })
            #expect(page.status == 404 && page.headers["content-type"]?.hasPrefix("text/html") == true, "\(path)")
            #expect(page.text.contains(words) && page.text.contains("To the issues"), "\(path): \(page.text)")
            #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
            let plain = try server.client.send("GET", path, headers: session)
            #expect(plain.status == 404 && plain.text.hasPrefix("{\"error\""), "\(path)")
        }
        let other = try server.client.send(
            "GET", "/api/v1/projects/default/issues/9",
            headers: server.tokenHeader.merging(["Accept": "text/html"]) { $1 })
        #expect(other.text.hasPrefix("{\"error\""))
        let wrong = try server.client.send(
            "POST", "/issues/1/merge", headers: session.merging(["Accept": "text/html"]) { $1 },
            body: Data("into=1".utf8))
        #expect(wrong.status == 403 && wrong.text.contains("Not allowed"))
    }

    @Test func `an issue is muted for as long as is chosen`() throws {
        let server = try ServerProcess()
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        _ = try server.event(1)
        let session = try server.session()
        #expect(try page(server, "/issues/1", session).contains("<option value=\"week\">for a week</option>"))
        for (term, words) in [("often", "until 100 events in 3600 s"), ("week", "until 20"), ("x", ">muted<")] {
            #expect(try post(server, "/issues/1/mute", session, "term=\(term)").status == 303)
            #expect(try page(server, "/issues/1", session).contains(words), "\(term)")
            #expect(try post(server, "/issues/1/open", session, "").status == 303)
        }
    }
}
