// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// From a core on a pipe to an event on the service.
@Suite struct CollectSubmitTests {
    @Test func aCollectedCrashReachesTheService() throws {
        let folder = try TemporaryFolder()
        let command = BuildProducts.executable("vaka")
        let core = try CoreOfCrash.make(BuildProducts.crasher("uncaught-exception"), in: folder)
        let storage = folder.path + "/storage"
        let collected = try ChildProcess.run(
            "/bin/sh", ["-c", "cat \"$1\" | \"$0\" collect --storage \"$2\" --host box", command, core, storage])
        #expect(collected.status == .exited(0), "\(collected.errors)")
        let server = try ServerProcess()
        let sent = try ChildProcess.run(
            command, ["submit", storage, "--url", server.credentials.url, "--key", server.credentials.ingestKey])
        let id = try #require(sent.output.split(separator: " ").last?.prefix(32), "\(sent.errors)")
        let event = try server.eventually { () -> Event? in
            let response = try server.get("events/\(id)")
            return response.status == 200 ? try ModelCoding.decode(Event.self, from: response.body) : nil
        }
        #expect(event.reason?.signal == "SIGABRT" && event.reason?.messageSource == .cxx)
        #expect(event.crashedThread?.frames.contains { $0.module == "uncaught-exception" } == true)
        #expect(event.contexts["host"]?["name"] == "box")
        #expect(folder.entries("storage/crashes") == [])
    }
}
