// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

@Suite struct CountedOnlyTests {
    @Test func whatTheServiceOnlyCountedIsSaid() throws {
        let run = try ProgramRun()
        let server = try ScriptedServer(
            default: .init(
                status: 202,
                body: [
                    "accepted": 1, "rejected": .array([]),
                    "directives": [
                        ["kind": "of a later version", "events": 9], ["kind": "counted_only", "events": 7],
                    ],
                ]))
        let result = try run.start(server, "untracked", "error", "flush").wait()
        #expect(result.status == .exited(0))
        #expect(result.errors.contains("the service counted 7 events and did not keep them"), "\(result.errors)")
    }
}
