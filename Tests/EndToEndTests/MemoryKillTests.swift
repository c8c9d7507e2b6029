// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Real kills by the kernel for memory, where the machine lets a control group be made (cgroup v1).
@Suite(.enabled(if: MemoryGroup.canBeMade)) struct MemoryKillTests {
    private func integer(_ value: JSONValue?) -> Int64? {
        if case .integer(let number)? = value { number } else { nil }
    }

    @Test func theSupervisorTellsIt() throws {
        let setup = try RunSetup()
        // More than the supervisor itself has: only what is beyond that is known of the program.
        let group = try MemoryGroup(limit: 250_000_000)
        let result = try group.start(
            RunSetup.command, setup.words([try MemoryGroup.hog(in: setup.storage)]), environment: RunSetup.environment
        ).wait()
        #expect(result.status == .signalled(SIGKILL), "\(result.errors)")
        let event = try #require(try setup.kept().first)
        #expect(event.type == .abnormal && event.reason?.kind == .outOfMemory)
        #expect(event.breadcrumbs.map(\.message) == ["loading"])
        let process = event.contexts["process"]
        #expect(process?["name"] == "hog" && process?["end"]?["certainty"] == "likely")
        #expect(integer(process?["end"]?["oom_kills_after"]) ?? 0 > integer(process?["end"]?["oom_kills_before"]) ?? 9)
        #expect(integer(process?["memory"]?["peak_resident_bytes"]) ?? 0 > 100_000_000)
        let limit = try #require(integer(process?["memory"]?["cgroup"]?["limit_bytes"]))
        #expect(limit <= 250_000_000 && limit > 249_000_000)
        #expect(integer(process?["memory"]?["cgroup"]?["peak_usage_bytes"]) ?? 0 > 200_000_000)
    }

    /// A program that says from time to time that it lives; it is killed, and what comes to the same folder later tells it.
    @Test func theNextLaunchTellsIt() throws {
        let storage = try TemporaryFolder()
        let group = try MemoryGroup(limit: 60_000_000)
        let program = try CompiledProgram.build(
            "loader",
            source: """
                #include "vaka_crash.h"
                #include <stdlib.h>
                #include <string.h>
                #include <unistd.h>
                int main(int count, char **arguments) {
                    vaka_crash_config config = {.size = sizeof(config), .storage = arguments[1]};
                    if (vaka_crash_install(&config) != 0) return 3;
                    for (int i = 0; i < 40; i++) memset(malloc(1 << 20), 1, 1 << 20);
                    sleep(1);
                    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "load", "much is loaded", NULL);
                    for (;;) memset(malloc(1 << 20), 1, 1 << 20);
                }
                """, extension: "c", compiler: "gcc",
            flags: [
                "-O0", "-fno-builtin", "-I\(BuildProducts.root)/CSupport/CVakaCrash/include",
                "-Wl,--no-as-needed", BuildProducts.root + "/build/lib/libvakacrash.so",
                "-Wl,-rpath,\(BuildProducts.root)/build/lib",
            ],
            in: storage)
        let state = storage.path + "/state"
        #expect(try group.start(program, [state], environment: [:]).wait().status == .signalled(SIGKILL))
        let server = try ScriptedServer()
        let sent = try ChildProcess.run(RunSetup.command, ["submit", state, "--url", server.url, "--key", "vk_x"])
        #expect(sent.status == .exited(0), "\(sent.errors)")
        let item = try #require(try server.requests().flatMap(\.items).first { $0["kind"] == "event" })
        let event = try ModelCoding.decode(Event.self, from: ModelCoding.encode(item["payload"]))
        #expect(event.type == .abnormal && event.reason?.kind == .outOfMemory)
        #expect(event.breadcrumbs.map(\.message) == ["much is loaded"])
        let process = event.contexts["process"]
        #expect(process?["end"]?["cause"] == "out_of_memory" && process?["end"]?["certainty"] == "likely")
        #expect(integer(process?["memory"]?["resident_bytes"]) ?? 0 > 40 << 20, "as it was when it spoke last")
        #expect(integer(process?["memory"]?["cgroup"]?["usage_bytes"]) ?? 0 > 40 << 20)
        #expect(process?["memory"]?["cgroup"]?["version"] == 1)
    }
}
