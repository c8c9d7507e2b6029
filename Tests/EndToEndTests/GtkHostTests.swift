// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// A GTK program on a screen of its own, observed and driven by the command. Leaves build/screenshots/gtk-host.png
/// and, of the replay on the crash's page, gtk-replay.png.
@Suite struct GtkHostTests {
    private let folder: TemporaryFolder
    private let screen: ChildProcess
    private let display: String
    private let program: String

    init() throws {
        folder = try TemporaryFolder()
        // `make test` has built it before.
        let made = try ChildProcess.run(
            "/usr/bin/env", ["make", "-s", "example-gtk-host"], directory: BuildProducts.root, seconds: 1200)
        try #require(made.status == .exited(0), "\(made.errors)")
        program = BuildProducts.root + "/build/examples-gtk-host/debug/gtk-host"
        screen = try ChildProcess(
            "/usr/bin/env",
            [
                "Xvfb", "-displayfd", "1", "-screen", "0", "640x600x24", "-fbdir", folder.path, "-nolisten", "tcp",
                "-noreset",
            ])
        try screen.waitForOutput("\n")
        display = ":" + screen.outputSoFar.filter { !$0.isWhitespace }
    }

    private func end() {
        screen.kill(SIGTERM)
        _ = try? screen.wait(seconds: 10)
    }

    private var socket: String { folder.path + "/shop.sock" }

    private var environment: [String: String?] {
        [
            "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
            "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "WAYLAND_DISPLAY": nil,
            "XDG_CONFIG_HOME": folder.path, "XDG_CACHE_HOME": folder.path, "SWIFT_BACKTRACE": "enable=no",
            "VAKA_OBSERVATION_SOCKET": socket, "VAKA_OBSERVATION_URL": nil, "VAKA_STORAGE": folder.path + "/storage",
        ]
    }

    private func start(_ server: ServerProcess? = nil) throws -> ChildProcess {
        var environment = environment
        environment["VAKA_URL"] = server?.credentials.url
        environment["VAKA_KEY"] = server?.credentials.ingestKey
        let process = try ChildProcess(program, environment: environment)
        try process.waitForOutput("ready")
        return process
    }

    private func vaka(_ words: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(RunSetup.command, words, environment: environment)
    }

    private func snapshot() throws -> ObservationSnapshot {
        let shown = try vaka("observe", "--format", "json")
        try #require(shown.status == .exited(0), "\(shown.errors)")
        return try ModelCoding.decode(ObservationSnapshot.self, from: shown.outputData)
    }

    /// Once the window is laid out.
    private func laidOut() throws -> ObservationSnapshot {
        try eventually(seconds: 30) {
            let snapshot = try snapshot()
            return snapshot.elements.first { $0.id == "crash" }.map { $0.visible && $0.bounds.y > 100 } == true
                ? snapshot : nil
        }
    }

    private func element(_ id: String, _ snapshot: ObservationSnapshot) throws -> ObservedElement {
        try #require(snapshot.elements.first { $0.id == id })
    }

    private func takePicture() throws -> Int {
        let pictures = BuildProducts.root + "/build/screenshots"
        try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
        let made = try ChildProcess.run(
            "/usr/bin/env",
            [
                "python3", BuildProducts.root + "/Tests/Support/xwd_png.py", folder.path + "/Xvfb_screen0",
                pictures + "/gtk-host.png",
            ])
        try #require(made.status == .exited(0), "\(made.errors)")
        return Int(made.output.filter(\.isNumber)) ?? 0
    }

    @Test func aGtkProgramIsObservedDrivenAndItsCrashIsSent() throws {
        defer { end() }
        let server = try ServerProcess()
        #expect(try server.upload(Data(contentsOf: URL(filePath: program)), name: "gtk-host").status == 201)
        let settings = try server.client.send(
            "POST", "/api/v1/projects/\(server.credentials.project)/sdk-settings",
            headers: server.tokenHeader.merging(["Content-Type": "application/json"]) { first, _ in first },
            body: Data(#"{"screen_recording": true, "screen_recording_privacy": "mask_inputs"}"#.utf8))
        #expect(settings.status == 200, "\(settings.text)")
        let process = try start(server)
        let shown = try laidOut()
        #expect(shown.screen == "shop" && shown.coordinateSpace == .window)
        #expect(try element("basket", shown).label == "The basket is empty")
        #expect(try element("sold-out", shown).enabled == false)
        let rows = try element("list", shown).children ?? []
        #expect(rows.count == 40 && rows[0].label == "Article 1")

        #expect(try vaka("act", "tap", "add").status == .exited(0))
        #expect(try vaka("act", "insert-text", "search", "red shoes").status == .exited(0))
        #expect(try vaka("act", "insert-text", "password", "hunter2-correct-horse").status == .exited(0))
        #expect(try vaka("act", "tap", "sold-out").errors.contains("element_not_actionable"))
        #expect(try vaka("act", "long-press", "add").errors.contains("unsupported_action"))
        #expect(try vaka("act", "scroll", "list", "0", "100").status == .exited(0))
        let after = try vaka("observe", "--format", "json")
        #expect(!after.output.contains("hunter2"))
        let driven = try ModelCoding.decode(ObservationSnapshot.self, from: after.outputData)
        #expect(try element("basket", driven).label == "1 in the basket")
        #expect(try element("search", driven).value == "red shoes")
        try eventually(seconds: 20) {
            try element("list", snapshot()).children?[0].bounds.y ?? 0 < rows[0].bounds.y - 50 ? true : nil
        }
        // Drawn, with text on it.
        try eventually(seconds: 20) { try takePicture() > 20 ? true : nil }

        // What was done is recorded, too.
        let moments = try eventually(seconds: 20) { try recorded("1 in the basket") }
        #expect(moments.contains("Article 1") && !moments.contains("red shoes"))
        // The recording may have begun a moment ago: a second frame makes it one to play.
        #expect(try vaka("act", "tap", "add").status == .exited(0))
        _ = try eventually(seconds: 20) { try recorded("2 in the basket") }

        // It crashes while it does it: what became of it, nobody says.
        let crash = try vaka("act", "tap", "crash")
        #expect(crash.status == .exited(1) && crash.errors.contains("bad_reply"))
        #expect(try process.wait().status == .signalled(SIGILL))
        #expect(try vaka("observe", "--state").errors.contains("SDK_UNAVAILABLE"))

        let second = try start(server)
        let event = try server.latestEvents(1)[0]
        #expect(event.type == .crash && event.release == "gtk-host@1.0")
        #expect(event.breadcrumbs.map(\.message).suffix(2) == ["added an article", "pays for 2"])
        #expect(event.crashedThread?.frames.contains { $0.function?.contains("payForBasket") == true } == true)
        second.kill(SIGTERM)
        _ = try second.wait()
        try replay(event, server)
        // What was typed into the password's field is nowhere but in the program.
        #expect(try files(folder.path + "/storage", holding: "hunter2").isEmpty)
        #expect(try files(server.folder.path, holding: "hunter2").isEmpty)
    }

    /// The last moments as they are kept, once they hold the text.
    private func recorded(_ text: String) throws -> String? {
        let read = try ChildProcess.run(
            "/usr/bin/env",
            ["bash", "-c", "cat \(folder.path)/storage/recordings/*.moments | gzip -dcq 2>/dev/null || true"])
        return read.output.contains(text) ? read.output : nil
    }

    /// The crash's page plays the last seconds; leaves build/screenshots/gtk-replay.png.
    private func replay(_ event: Event, _ server: ServerProcess) throws {
        try server.eventually {
            try server.get("events/\(event.eventID)/recordings").text.contains("recording_id") ? true : nil
        }
        let pictures = BuildProducts.root + "/build/screenshots"
        try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
        let played = try ChildProcess.run(
            BuildProducts.root + "/build/venv/bin/python",
            [
                BuildProducts.root + "/Tests/Support/replay.py", server.credentials.url, server.credentials.adminToken,
                "/events/\(event.eventID)", pictures + "/gtk-replay.png",
            ], seconds: 120)
        #expect(played.status == .exited(0), "\(played.errors)")
        let frames = played.output.hasPrefix("done ") ? Int(played.output.dropFirst(5).filter(\.isNumber)) : nil
        #expect((frames ?? 0) >= 2, "\(played.output)")
    }

    private func files(_ path: String, holding text: String) throws -> [String] {
        let found = try ChildProcess.run("/usr/bin/env", ["grep", "-r", "-l", "-a", "-F", text, path])
        return found.output.split(separator: "\n").map(String.init)
    }

    /// A click of the machine's own pointer in the middle of what the bridge calls the button's bounds.
    @Test func boundsAreWhereTheElementsAre() throws {
        defer { end() }
        let process = try start()
        let shown = try laidOut()
        let found = try ChildProcess.run(
            "/usr/bin/env", ["xdotool", "search", "--onlyvisible", "--name", "^Shop$"], environment: environment)
        let window = try #require(found.output.split(separator: "\n").first.map(String.init), "\(found.errors)")
        let middle = try element("add", shown).bounds.center
        let clicked = try ChildProcess.run(
            "/usr/bin/env",
            [
                "xdotool", "mousemove", "--window", window, "\(Int(middle.x))", "\(Int(middle.y))", "click", "1",
            ], environment: environment)
        #expect(clicked.status == .exited(0), "\(clicked.errors)")
        try eventually(seconds: 20) {
            try element("basket", snapshot()).label == "1 in the basket" ? true : nil
        }
        process.kill(SIGTERM)
        _ = try process.wait()
    }
}
