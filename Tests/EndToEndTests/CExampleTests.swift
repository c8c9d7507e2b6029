// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The example in C: `libvakacrash` alone, its records sent by the command.
@Suite struct CExampleTests {
    @Test func itsCrashReachesTheService() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/program"
        let core = BuildProducts.root
        try CompiledProgram.tool(
            "make",
            [
                "-s", "-C", core + "/Examples/c-program", "OUT=" + program,
                "VAKA_FLAGS=-I\(core)/CSupport/CVakaCrash/include \(core)/build/lib/libvakacrash.a",
            ])
        let reports = folder.path + "/reports"
        #expect(try ChildProcess.run(program, [reports]).output == "4\n")
        #expect(try ChildProcess.run(program, [reports, "crash"]).status == .signalled(SIGSEGV))

        let server = try ServerProcess()
        let sent = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["submit", reports, "--url", server.credentials.url, "--key", server.credentials.ingestKey])
        #expect(sent.status == .exited(0), "\(sent.errors)")
        let event = try server.latestEvents(1)[0]
        #expect(event.release == "program@1.0" && event.tags == ["example": "c"])
        #expect(event.breadcrumbs.map(\.message) == ["began"])
        #expect(event.reason?.signal == "SIGSEGV")
    }
}

extension ServerProcess {
    /// Waits for that many issues: the last event of each.
    func latestEvents(_ count: Int) throws -> [Event] {
        let issues = try eventually { () -> [JSONValue]? in
            let document = try ModelCoding.decode(JSONValue.self, from: get("issues").body)
            guard case .array(let issues) = document["issues"], issues.count == count else { return nil }
            return issues
        }
        return try issues.map { issue in
            let answer = try get("events/\(issue["latest_event_id"]?.string ?? "")")
            return try ModelCoding.decode(Event.self, from: answer.body)
        }
    }
}
