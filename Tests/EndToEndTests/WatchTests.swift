// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// `vaka submit --watch` over storage folders that programs share with it, living and gone.
@Suite struct WatchTests {
    private let folder: TemporaryFolder
    private var storage: String { folder.path + "/state" }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["", "/runs", "/crashes", "/pending"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/state" + name, withIntermediateDirectories: true)
        }
    }

    private func watch(_ url: String, key: String = "vk_x") throws -> ChildProcess {
        try ChildProcess(
            RunSetup.command, ["submit", storage, "--watch", "--url", url, "--key", key],
            environment: RunSetup.environment)
    }

    private func crash(_ name: String = "null-write") throws {
        let result = try ChildProcess.run(
            BuildProducts.crasher(name), [],
            environment: ["LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": storage])
        #expect(result.status != .exited(0))
    }

    private func events(_ server: ScriptedServer) throws -> [Event] {
        try server.requests().flatMap(\.items).filter { $0["kind"] == "event" }.map {
            try ModelCoding.decode(Event.self, from: ModelCoding.encode($0["payload"]))
        }
    }

    /// Ends the watcher, which must be alive.
    private func end(_ watcher: ChildProcess) throws {
        watcher.kill(SIGTERM)
        #expect(try watcher.wait().status == .signalled(SIGTERM), "\(watcher.errorsSoFar)")
    }

    /// A program that installs the library, says so, and waits.
    private func waitingProgram() throws -> String {
        try CompiledProgram.build(
            "waiting",
            source: """
                #include "vaka_crash.h"
                #include <stdio.h>
                #include <unistd.h>
                int main(int count, char **arguments) {
                    vaka_crash_config config = {.size = sizeof(config), .storage = arguments[1]};
                    if (count < 2 || vaka_crash_install(&config) != 0) return 3;
                    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", "in the container", NULL);
                    printf("ready %d\\n", (int)getpid());
                    fflush(stdout);
                    for (;;) pause();
                }
                """, extension: "c", compiler: "gcc",
            flags: [
                "-I\(BuildProducts.root)/CSupport/CVakaCrash/include", "-Wl,--no-as-needed",
                BuildProducts.root + "/build/lib/libvakacrash.so", "-Wl,-rpath,\(BuildProducts.root)/build/lib",
            ], in: folder)
    }

    /// Process ids there are those of other processes here, which live; locks tell, not numbers.
    @Test(.enabled(if: geteuid() == 0)) func whatAContainerLeftIsSentOnceItIsGone() throws {
        let server = try ScriptedServer()
        let watcher = try watch(server.url)
        let program = try waitingProgram()
        let container = try ChildProcess(
            "unshare",
            [
                "--fork", "--pid", "--uts", "--ipc", "--mount-proc", "--kill-child", "sh", "-c",
                """
                hostname gone-container
                LD_PRELOAD=\(BuildProducts.preloadLibrary) VAKA_STORAGE=\(storage) \(BuildProducts.crasher("null-write"))
                \(program) \(storage) & wait
                """,
            ])
        try container.waitForOutput("ready ")
        let crash = try eventually { try events(server).first }
        #expect(crash.type == .crash && crash.contexts["host"]?["name"] == "gone-container")
        // The other program lives: its files are locked.
        #expect(folder.entries("state/runs").count == 2)
        let pid = try #require(container.outputSoFar.split(whereSeparator: \.isWhitespace).last)
        #expect(access("/proc/\(pid)", F_OK) == 0, "there is a process of that number here, too")

        container.kill(SIGKILL)
        _ = try container.wait()
        let end = try eventually { try events(server).first { $0.type == .abnormal } }
        #expect(end.reason?.kind == .killed && end.contexts["host"]?["name"] == "gone-container")
        #expect(end.breadcrumbs.map(\.message) == ["in the container"])
        #expect(end.contexts["process"]?["pid"] == .integer(Int64(pid) ?? 0))
        try eventually { folder.entries("state/runs").isEmpty && folder.waitingBatches("state").isEmpty ? true : nil }
        try self.end(watcher)
        #expect(try events(server).count == 2)
        #expect(
            watcher.outputSoFar.split(separator: "\n").sorted()
                == ["sent \(crash.eventID)", "sent \(end.eventID)"].sorted())
    }

    @Test func severalWatchersSendEachReportOnce() throws {
        let server = try ScriptedServer()
        let watchers = try (0..<3).map { _ in try watch(server.url) }
        for _ in 0..<4 { try crash() }
        try eventually { try events(server).count >= 4 && folder.waitingBatches("state").isEmpty ? true : nil }
        for watcher in watchers { try end(watcher) }
        let ids = try events(server).map(\.eventID)
        #expect(ids.count == 4 && Set(ids).count == 4)
        #expect(watchers.allSatisfy { $0.errorsSoFar == "" }, "\(watchers.map(\.errorsSoFar))")
        #expect(folder.entries("state/crashes") == [])
    }

    @Test func aServiceThatWasDownIsTriedAgain() throws {
        let first = try ScriptedServer()
        first.stop()
        let watcher = try watch(first.url)
        try crash()
        try eventually { watcher.errorsSoFar.contains("it is tried again") ? true : nil }
        let second = try ScriptedServer(port: first.port)
        try eventually { try events(second).count == 1 ? true : nil }
        try eventually { watcher.outputSoFar.contains("sent ") ? true : nil }
        try end(watcher)
        #expect(folder.waitingBatches("state").isEmpty)
        #expect(watcher.errorsSoFar.split(separator: "\n").count == 1, "told once: \(watcher.errorsSoFar)")
    }

    /// What was being sent is sent again under the same id, which the service counts once; also where that has moved.
    @Test func aWatcherKilledWhileItSends() throws {
        let server = try ServerProcess()
        let slow = try ScriptedServer(default: .init(delay: 120))
        let first = try watch(slow.url, key: server.credentials.ingestKey)
        try crash()
        let sent = try eventually { try events(slow).first }
        first.kill(SIGKILL)
        _ = try first.wait()
        #expect(folder.waitingBatches("state").count == 1)
        for _ in 0..<2 {
            let result = try ChildProcess.run(
                RunSetup.command,
                ["submit", storage, "--url", server.credentials.url, "--key", server.credentials.ingestKey])
            #expect(result.status == .exited(0), "\(result.errors)")
        }
        try server.eventually { try server.get("events/\(sent.eventID)").status == 200 ? true : nil }
        let issues = try ModelCoding.decode([String: JSONValue].self, from: try server.get("issues").body)
        guard case .array(let list)? = issues["issues"] else { throw ChildProcess.Failure(description: "no list") }
        #expect(list.count == 1 && list.first?["events"] == 1)
        #expect(folder.waitingBatches("state").isEmpty)
    }

    @Test func aRefusedKeyEndsTheWatch() throws {
        try crash()
        let server = try ScriptedServer(default: .init(status: 401))
        let result = try watch(server.url).wait()
        #expect(result.status == .exited(1) && result.errors.contains("key"), "\(result.errors)")
        #expect(folder.waitingBatches("state").count == 1)
    }
}
