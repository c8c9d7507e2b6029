// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

@testable import Vaka

@Suite struct SelfTestTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    func outcomes(_ server: ScriptedServer, _ steps: String...) throws -> [String: String] {
        let result = try run.start(server, ["untracked"] + steps + ["self-test"]).wait()
        #expect(result.status == .exited(0))
        let lines = result.output.split(separator: "\n").filter { $0.contains(": ") }
        return Dictionary(
            lines.compactMap { line -> (String, String)? in
                let words = line.split(separator: " ", maxSplits: 1)
                guard words.count == 2, let name = words[1].split(separator: ":").first else { return nil }
                return (name.trimmingPrefix { $0 == " " }.description, String(words[0]))
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test(.notUnderThreadSanitizer("it stands before the handlers"))
    func allIsWell() throws {
        let server = try ScriptedServer()
        let found = try outcomes(server)
        #expect(Set(found.values) == ["passed"])
        #expect(Set(found.keys) == ["start", "folder", "endpoint", "key", "handlers", "signal stacks", "queue"])
        #expect(try server.requests().isEmpty, "asking for settings is all that it does")
    }

    @Test func aKeyThatIsRefused() throws {
        let found = try outcomes(try ScriptedServer(default: .init(status: 401)))
        #expect(found["key"] == "failed")
        #expect(found["endpoint"] == "passed")
    }

    @Test(arguments: [404, 500]) func somethingElseAnswers(status: Int) throws {
        let found = try outcomes(try ScriptedServer(default: .init(status: status)))
        #expect(found["endpoint"] == "failed")
        #expect(found["key"] == "skipped")
    }

    @Test func nobodyAnswersAndAnotherHandlerCame() throws {
        let server = try ScriptedServer()
        server.stop()
        let found = try outcomes(server, "take-segv")
        #expect(found["endpoint"] == "failed")
        #expect(found["handlers"] == "failed")
        #expect(found["folder"] == "passed")
    }

    @Test func beforeTheStart() {
        let report: Vaka.SelfTest = Vaka.selfTest()
        #expect(!report.passed)
        #expect(report.checks.map(\.name) == ["start"])
        #expect(report.description.contains("call Vaka.start first"))
    }
}
