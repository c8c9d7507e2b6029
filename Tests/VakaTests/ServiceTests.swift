// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

/// Vaka as a service of a group, and around a job.
@Suite struct ServiceTests {
    let run: ProgramRun
    let server: ScriptedServer

    init() throws {
        run = try ProgramRun()
        server = try ScriptedServer()
    }

    @Test(arguments: ["cancel", "end"]) func aServiceSendsBeforeItEnds(kind: String) throws {
        let process = try run.start(server, "untracked", "serviced=\(kind)", "wait")
        try process.waitForOutput("service is over")
        #expect(try server.events().map { $0.errors.first?.message } == ["from a service"])
        process.kill(9)
        _ = try process.wait()
    }

    @Test(arguments: ["ok": "done", "cancel": "threw CancellationError()"]) func aJobThatReportsNothing(
        kind: String, says: String
    ) throws {
        let result = try run.start(server, "untracked", "run=\(kind)").wait()
        #expect(result.output.contains(says))
        #expect(try server.events().isEmpty)
    }

    @Test func anErrorOfAJob() throws {
        let process = try run.start(server, "untracked", "run=fail", "say=over", "wait")
        try process.waitForOutput("over")
        #expect(process.outputSoFar.contains("threw SampleError(number: 3)"))
        #expect(try server.events().map { $0.errors.first?.message } == ["SampleError(number: 3)"])
        process.kill(9)
        _ = try process.wait()
    }
}
