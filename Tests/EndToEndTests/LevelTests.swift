// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

/// Programs that inline deeply, split hot and cold, fold functions or keep their debug information in a package: every
/// level of the stack, with its notes, from the record.
@Suite struct LevelTests {
    private static let command = BuildProducts.executable("vaka")
    private static let crashers = Crasher.reported.filter { !$0.levels.isEmpty }

    @Test(arguments: crashers) func everyLevelIsTheDeclaredOne(crasher: Crasher) throws {
        let result = try ChildProcess.run(
            Self.command, ["symbolicate", "--format", "json"] + CrashRun.shared(crasher).records)
        try Self.compare(ModelCoding.decode(Event.self, from: result.outputData), crasher)
    }

    /// The service has nothing but what it is sent.
    @Test func theServiceSaysTheSame() throws {
        let server = try ServerProcess(["--no-system"])
        for name in [
            "deep-inlining", "swift-deep-inlining", "cold-undo", "profiled-below", "folded-gold", "packaged-deep",
            "packaged-rust",
        ] {
            let crasher = try #require(Self.crashers.first { $0.name == name })
            let event = try CrashRun.shared(crasher).event()
            let address = ["--url", server.credentials.url]
            let uploaded = try ChildProcess.run(
                Self.command,
                ["upload", "debug", crasher.executable, "--token", server.credentials.adminToken] + address)
            #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
            let sent = try ChildProcess.run(
                Self.command,
                ["submit", "--key", server.credentials.ingestKey] + address + CrashRun.shared(crasher).records)
            #expect(sent.status == .exited(0), "\(sent.errors)")
            let stored: Event = try server.eventually {
                let response = try server.get("events/\(event.eventID)")
                guard response.status == 200 else { return nil }
                let stored = try ModelCoding.decode(Event.self, from: response.body)
                return stored.crashedThread?.frames.first?.status == nil ? nil : stored
            }
            try Self.compare(stored, crasher)
        }
    }

    private static func compare(_ event: Event, _ crasher: Crasher) throws {
        let frames = try #require(event.crashedThread).frames.filter { frame in
            frame.module == crasher.program && frame.inApp == true
        }
        let end = try #require(frames.firstIndex { !$0.inlined && isMain($0) })
        #expect(frames[...end].map(Level.init) == crasher.levels.map(Level.init))
    }

    private static func isMain(_ frame: Frame) -> Bool {
        frame.function == "main" || frame.function?.hasSuffix("::main") == true
    }
}

private struct Level: Equatable, CustomStringConvertible {
    var description: String

    init(_ frame: Frame) {
        let file = frame.file?.split(separator: "/").last ?? "-"
        description = Self.text(frame.function ?? "?", String(file), frame.line, frame.inlined, frame.notes)
    }

    init(_ level: Crasher.ApplicationFrame) {
        description = Self.text(
            level.function, level.file, level.line, level.inlined == true, level.notes ?? [])
    }

    private static func text(
        _ function: String, _ file: String, _ line: Int?, _ inlined: Bool, _ notes: [String]
    ) -> String {
        let marks = (inlined ? ["inlined"] : []) + notes.sorted()
        return "\(function) \(marks) \(file):\(line.map(String.init) ?? "-")"
    }
}
