// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// The pages in a real browser, with what real programs left. Screenshots are kept in build/screenshots.
struct BrowserTests {
    private static let hostile = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp;\u{202E}"
    private static let release = "shop@1.0 " + hostile

    private static let python = BuildProducts.root + "/build/venv/bin/python3"
    private static let screenshots = BuildProducts.root + "/build/screenshots"

    /// Every text of it is markup.
    private var hostileEvent: Event {
        let text = Self.hostile
        var event = Event(
            eventID: String(repeating: "e", count: 32), type: .crash, timestamp: .now, level: .fatal, arch: "x86_64")
        event.release = Self.release
        event.environment = text
        event.tags = [text: text]
        event.user = [text: .string(text)]
        event.session = Session(id: "s", started: .now, status: .crashed)
        event.breadcrumbs = (0..<100).map { _ in
            Breadcrumb(timestamp: .now, level: .error, category: text, message: text, data: [text: .string(text)])
        }
        event.loss = [Loss(what: text, why: text)]
        event.errors = [ReportedError(type: text, message: text)]
        var frame = Frame(instructionAddress: HexAddress(0x1010), trust: .cfi)
        frame.function = text
        frame.file = "/src/" + text + String(repeating: "/long", count: 60)
        frame.line = 7
        frame.inApp = true
        frame.notes = [text]
        var other = frame
        other.inApp = false
        event.threads = (1...20).map { id in
            ThreadState(
                id: id, name: text, crashed: id == 1, frames: [frame] + Array(repeating: other, count: 30) + [frame])
        }
        event.threads[0].registers = ["rip": HexAddress(0x1010)]
        event.debugImages = [
            DebugImage(
                buildID: BuildID(hex: "0123456789abcdef"), codeFile: "/srv/" + text, imageAddress: HexAddress(0x1000),
                imageSize: 0x1000, status: .missing)
        ]
        return event
    }

    /// Real crashes with their images, and the hostile one.
    private func fill(_ server: ServerProcess) throws {
        let storage = try TemporaryFolder()
        for name in ["null-write", "after-await", "inlining", "qsort-abort"] {
            _ = try ChildProcess.run(
                BuildProducts.crasher(name), [],
                environment: [
                    "SWIFT_BACKTRACE": "enable=no", "LD_PRELOAD": BuildProducts.preloadLibrary,
                    "VAKA_STORAGE": storage.path, "VAKA_RELEASE": "shop@0.9",
                ])
        }
        let to = ["--url", server.credentials.url]
        let sent = try ChildProcess.run(
            RunSetup.command, ["submit", storage.path, "--key", server.credentials.ingestKey] + to,
            environment: RunSetup.environment)
        #expect(sent.status == .exited(0), "\(sent.errors)")
        let uploaded = try ChildProcess.run(
            RunSetup.command,
            [
                "upload", "debug", BuildProducts.crasher("null-write"), "--include-sources", "--source-root",
                BuildProducts.root, "--token", server.credentials.adminToken,
            ] + to, environment: RunSetup.environment)
        #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
        let event = hostileEvent
        let batch = Batch(
            sdk: SDKInfo(name: "vaka-test", version: "1"), installID: "i", sequence: 1, sentAt: .now,
            items: [
                BatchItem(
                    kind: .event, id: event.eventID,
                    payload: try ModelCoding.decode(JSONValue.self, from: ModelCoding.encode(event)))
            ])
        let reply = try server.ingest(String(decoding: try ModelCoding.encode(batch), as: UTF8.self))
        #expect(reply.status == 202, "\(reply.text)")
    }

    /// Markup where people name things.
    private func name(_ server: ServerProcess) throws {
        let project = "projects/default"
        let text = Self.hostile
        for (path, body) in [
            ("keys", ["name": .string(text)]), ("tokens", ["name": .string(text), "scopes": ["read"]]),
            ("sdk-settings", [text: .string(text)]),
            ("alert-targets", ["channel": "slack", "address": "http://127.0.0.1:9/?\"><script>alert(1)</script>"]),
        ] as [(String, JSONValue)] {
            let answer = try server.client.send(
                "POST", "/api/v1/\(project)/\(path)",
                headers: [
                    "Authorization": "Bearer \(server.credentials.adminToken)", "Content-Type": "application/json",
                ], body: try ModelCoding.encode(body))
            #expect((200...201).contains(answer.status), "\(path): \(answer.text)")
        }
    }

    /// Of an issue and of events beside their own; the last is the event of a program with several threads.
    private func eventPages(_ server: ServerProcess) throws -> [String] {
        let hostile = "/events/" + hostileEvent.eventID
        for number in 1...5 {
            let list = try ModelCoding.decode(JSONValue.self, from: try server.get("issues/\(number)/events").body)
            guard case .array(let events)? = list["events"], let id = events.first?["event_id"]?.string else {
                continue
            }
            let event = try ModelCoding.decode(Event.self, from: server.get("events/\(id)").body)
            guard event.contexts["process"]?["name"]?.string == "after-await" else { continue }
            let parts = ["/machine", "/grouping"]
            return ["/issues/\(number)/variants", hostile + "?thread=20"] + parts.map { hostile + $0 }
                + parts.map { "/events/\(id)" + $0 } + ["/events/\(id)"]
        }
        throw ChildProcess.Failure(description: "no event of after-await")
    }

    /// A whole record, one in flight, and one of a later version.
    private func addExchanges(_ server: ServerProcess) throws {
        let full = String(decoding: try ModelCoding.encode(FullNetworkRecord.make()), as: UTF8.self)
        let items = [
            full, full.replacing("\"failed\"", with: "\"started\"").replacing("request-1", with: "request-2"),
            full.replacing("\"schemaVersion\":1", with: "\"schemaVersion\":2"),
        ].enumerated().map { "{\"kind\":\"network\",\"id\":\"x\($0)\",\"payload\":\($1)}" }
        #expect(try server.ingest("{\"items\":[\(items.joined(separator: ","))]}").status == 202)
        try server.eventually { () -> Bool? in
            let list = try ModelCoding.decode(JSONValue.self, from: try server.get("network").body)
            guard case .array(let records)? = list["network"], records.count == 2 else { return nil }
            return true
        }
    }

    private static let recording = String(repeating: "0d", count: 16)

    /// Two parts of a recording, the second of which are the hostile event's last moments too. Every text of it is markup.
    private func addRecording(_ server: ServerProcess) throws {
        let window = RecordingDrawing(kind: .window, x: 0, y: 0, width: 400, height: 300)
        let masked = RecordingDrawing(kind: .secureTextField, x: 10, y: 50, width: 100, height: 30, marks: .masked)
        func part(_ number: Int, event: String? = nil) -> Recording {
            var part = Recording(
                recordingID: Self.recording, part: number, started: .now, privacy: .inputs, quality: .medium)
            part.eventID = event
            part.sessionID = "s"
            part.userID = Self.hostile
            part.release = Self.release
            part.duration = 3000
            part.frames = (0..<4).map { frame in
                let button = RecordingDrawing(
                    kind: .button, x: 10, y: 10, width: 200, height: 30, text: "\(frame) " + Self.hostile)
                let drawings = frame == 0 ? [window, button, masked] : [button]
                let change = RecordingChange(
                    index: frame == 0 ? 0 : 1, removed: frame == 0 ? 0 : 1, drawings: drawings)
                return RecordingFrame(at: frame * 300, width: 400, height: 300, changes: [change])
            }
            part.taps = [RecordingTap(at: 400, x: 20, y: 20)]
            part.withheldTaps = 1
            return part
        }
        let parts = [part(0), part(1), part(1, event: hostileEvent.eventID)]
        let items = try parts.enumerated().map { number, part in
            let payload = String(decoding: try ModelCoding.encode(part), as: UTF8.self)
            return "{\"kind\":\"recording\",\"id\":\"recording-\(number)\",\"payload\":\(payload)}"
        }
        #expect(try server.ingest("{\"items\":[\(items.joined(separator: ","))]}").status == 202)
        try server.eventually { () -> Bool? in
            let list = try ModelCoding.decode(JSONValue.self, from: try server.get("recordings").body)
            guard case .array(let parts)? = list["recordings"], parts.count == 3 else { return nil }
            return true
        }
    }

    /// By keyboard, at both widths and in both colours, and without scripts.
    private func play(_ path: String, _ server: ServerProcess) throws {
        let played = try ChildProcess.run(
            Self.python,
            [
                BuildProducts.root + "/Tests/Support/replay.py", server.credentials.url, server.credentials.adminToken,
                path, Self.screenshots + "/recording-player.png",
            ], seconds: 120)
        #expect(played.status == .exited(0), "\(played.errors)")
        #expect(played.output == "done 4\n", "\(path)")
    }

    @Test func `every page is well on a phone and a wide screen, light and dark, and without a mouse`() throws {
        let server = try ServerProcess(["--alert-network", "127.0.0.0/8"])
        try fill(server)
        try server.eventually { () -> Bool? in
            let list = try ModelCoding.decode(JSONValue.self, from: try server.get("issues").body)
            guard case .array(let issues)? = list["issues"], issues.count == 5 else { return nil }
            return true
        }
        try name(server)
        try addExchanges(server)
        try addRecording(server)
        let player = "/recordings/" + Self.recording
        let name = Self.release.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let paths =
            [
                "/", "/issues/1", "/issues/2", "/issues/3", "/issues/4", "/issues/5", "/releases", "/images",
                "/operation", "/network", "/network?state=live", "/network/1", "/recordings", player,
                player + "?part=1&frame=2",
            ]
            + ["/start"]
            + [
                "limits", "keys", "tokens", "members", "scrubbing", "alerts", "sdk", "source", "audit", "projects",
                "users",
            ].map { "/settings/" + $0 } + [
                "/release?name=\(name)&with=shop%400.9", "/events/" + hostileEvent.eventID, "/projects", "/account",
            ] + (try eventPages(server))
        try FileManager.default.createDirectory(atPath: Self.screenshots, withIntermediateDirectories: true)
        let result = try ChildProcess.run(
            Self.python,
            [
                BuildProducts.root + "/Tests/Support/browse.py", server.credentials.url, server.credentials.adminToken,
                server.credentials.ingestKey, Self.screenshots,
            ] + paths, seconds: 300)
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(result.output == "done \(paths.count * 4)\n")
        for path in [player, "/events/" + hostileEvent.eventID] { try play(path, server) }
    }
}
