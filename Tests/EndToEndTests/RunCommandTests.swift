// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// `vaka run` around real programs.
@Suite struct RunCommandTests {
    private static let command = BuildProducts.executable("vaka")
    private let storage: TemporaryFolder

    init() throws { storage = try TemporaryFolder() }

    private func words(_ program: [String], _ options: [String] = []) -> [String] {
        ["run", "--storage", storage.path, "--library", BuildProducts.preloadLibrary] + options + ["--"] + program
    }

    private static let environment: [String: String?] = [
        "VAKA_URL": nil, "VAKA_KEY": nil, "VAKA_STORAGE": nil, "SWIFT_BACKTRACE": "enable=no",
    ]

    private func run(_ program: [String], _ options: [String] = []) throws -> ChildProcess.Result {
        try ChildProcess.run(Self.command, words(program, options), environment: Self.environment)
    }

    private func shell(_ script: String, _ options: [String] = []) throws -> ChildProcess.Result {
        try run(["/bin/sh", "-c", script], options)
    }

    /// What waits in the storage folder.
    private func queued() throws -> [Event] {
        try storage.entries("pending").filter { $0.hasSuffix(".json") }.flatMap { name -> [Event] in
            let data = try Data(contentsOf: URL(filePath: storage.path + "/pending/" + name))
            return try ModelCoding.decode(Batch.self, from: data).items.filter { $0.kind == .event }.map {
                try ModelCoding.decode(Event.self, from: ModelCoding.encode($0.payload))
            }
        }
    }

    @Test(arguments: [Int32(0), 3]) func exitStatusesPass(code: Int32) throws {
        let result = try shell("echo out; echo err >&2; exit \(code)")
        #expect(result.status == .exited(code))
        #expect(result.output == "out\n" && result.errors == "err\n")
        #expect(try queued().isEmpty)
    }

    @Test func whatCannotBeStartedHasTheShellsStatus() throws {
        let missing = try run(["/nonexistent/program"])
        #expect(missing.status == .exited(127))
        #expect(missing.errors.contains("cannot start /nonexistent/program: No such file or directory"))
        #expect(try run(["/etc/passwd"]).status == .exited(126))
    }

    @Test func standardInputAndWhatIsPreloadedAreThePrograms() throws {
        let result = try ChildProcess.run(
            Self.command, words(["/bin/sh", "-c", "cat; echo $LD_PRELOAD; kill -s PIPE $$"]),
            environment: Self.environment.merging(["LD_PRELOAD": "libm.so.6"]) { $1 }, input: Data("word\n".utf8))
        #expect(result.output == "word\n\(BuildProducts.preloadLibrary):libm.so.6\n")
        #expect(result.status == .signalled(SIGPIPE), "what this command ignores, the program does not")
    }

    @Test func muchStandardErrorPassesUnchanged() throws {
        let result = try shell("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; printf 'end\\377' >&2; exit 4")
        #expect(result.status == .exited(4))
        #expect(result.errors == String(repeating: "x", count: 3_000_000) + "end\u{fffd}")
    }

    /// It may hold standard error open as long as it likes.
    @Test func whatTheProgramLeavesBehindIsNotWaitedFor() throws {
        let started = ContinuousClock.now
        let result = try shell("echo last >&2; sleep 30 & exit 3")
        #expect(result.status == .exited(3) && result.errors == "last\n")
        #expect(ContinuousClock.now - started < .seconds(25))
    }

    /// A container is given some seconds to stop: a service that takes the request and says nothing gets no more.
    @Test func aSilentServiceIsNotWaitedForLong() throws {
        let server = try ScriptedServer(default: .init(delay: 120))
        let started = ContinuousClock.now
        let result = try shell("kill -KILL $$", ["--url", server.url, "--key", "vk_x"])
        #expect(result.status == .signalled(SIGKILL))
        #expect(ContinuousClock.now - started < .seconds(60))
        #expect(try queued().count == 1, "\(result.errors)")
    }

    @Test func aCrashCarriesTheLastLines() throws {
        let result = try shell("echo 'opening the order' >&2; exec \(BuildProducts.crasher("null-write"))")
        #expect(result.status == .signalled(SIGSEGV))
        #expect(result.errors.hasPrefix("opening the order\n"))
        let event = try #require(try queued().first)
        #expect(event.type == .crash && event.reason?.signal == "SIGSEGV")
        #expect(event.crashedThread?.frames.isEmpty == false)
        #expect(event.breadcrumbs.contains { $0.category == "stderr" && $0.message == "opening the order" })
        #expect(storage.entries("crashes").filter { $0.contains(".vakacrash") } == [])
    }

    @Test func aRustPanicReachesTheService() throws {
        let server = try ServerProcess()
        let result = try run(
            [BuildProducts.crasher("rust-panic")],
            ["--url", server.credentials.url, "--key", server.credentials.ingestKey, "--release", "r@1"])
        #expect(result.errors.contains("vaka: sent "), "\(result.errors)")
        let id = try #require(result.errors.split(separator: "\n").last?.split(separator: " ").last)
        let event = try server.eventually { () -> Event? in
            let response = try server.get("events/\(id)")
            return response.status == 200 ? try ModelCoding.decode(Event.self, from: response.body) : nil
        }
        #expect(event.reason?.message?.contains("a manifest line without a version") == true)
        #expect(event.reason?.messageSource == .stderr)
        #expect(event.release == "r@1")
        #expect(event.breadcrumbs.contains { $0.message == "a manifest line without a version" })
        #expect(try queued().isEmpty)
    }

    /// One that unwinds, and exits with 101: there is no signal and no record.
    @Test func aRustPanicThatUnwindsIsACrash() throws {
        let program = try CompiledProgram.build(
            "unwinding", source: "fn main() { None::<u8>.expect(\"no order\"); }", extension: "rs", compiler: "rustc",
            flags: [], in: storage)
        #expect(try run([program]).status == .exited(101))
        let event = try #require(try queued().first)
        #expect(event.type == .crash && event.reason?.messageSource == .stderr)
        #expect(event.reason?.message?.hasSuffix("no order") == true)
    }

    @Test func aFailedSendingLeavesTheReportAndTheStatus() throws {
        let started = ContinuousClock.now
        let result = try shell("kill -KILL $$", ["--url", "http://127.0.0.1:1", "--key", "vk_x"])
        #expect(result.status == .signalled(SIGKILL))
        #expect(result.errors.contains("vaka submit"), "\(result.errors)")
        #expect(ContinuousClock.now - started < .seconds(40))
        #expect(try queued().count == 1)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH])
    func signalsAreForwarded(signal: Int32) throws {
        let script = "trap 'echo taken; exit 9' \(signal); echo ready; while :; do sleep 0.05; done"
        let process = try ChildProcess(Self.command, words(["/bin/sh", "-c", script]), environment: Self.environment)
        try process.waitForOutput("ready")
        process.kill(signal)
        let result = try process.wait()
        #expect(result.status == .exited(9))
        #expect(result.output == "ready\ntaken\n")
    }

    @Test func aProgramThatATermEndsIsNoReport() throws {
        let process = try ChildProcess(
            Self.command, words(["/bin/sh", "-c", "echo ready; exec sleep 60"]), environment: Self.environment)
        try process.waitForOutput("ready")
        process.kill(SIGTERM)
        #expect(try process.wait().status == .signalled(SIGTERM))
        #expect(try queued().isEmpty)
    }

    @Test func aKillIsAbnormal() throws {
        #expect(try shell("echo working >&2; kill -KILL $$").status == .signalled(SIGKILL))
        let event = try #require(try queued().first)
        #expect(event.type == .abnormal && event.reason?.kind == .killed && event.reason?.signal == "SIGKILL")
        #expect(event.breadcrumbs.map(\.message) == ["working"])
        #expect(event.threads.isEmpty && event.loss.contains { $0.what == "threads" })
    }

    /// The kernel's own counts, in a folder made like its own.
    @Test func aKillForMemoryIsTold() throws {
        let cgroup = try TemporaryFolder()
        for (folder, file) in [("memory", "memory.oom_control"), ("", "memory.events")] {
            try FileManager.default.createDirectory(
                atPath: cgroup.path + "/" + folder, withIntermediateDirectories: true)
            try Data("oom_kill 1\n".utf8).write(to: URL(filePath: "\(cgroup.path)/\(folder)/\(file)"))
        }
        let files = "\(cgroup.path)/memory/memory.oom_control \(cgroup.path)/memory.events"
        let result = try shell(
            "for f in \(files); do echo oom_kill 2 > $f; done; kill -KILL $$", ["--cgroup-root", cgroup.path])
        #expect(result.status == .signalled(SIGKILL))
        let event = try #require(try queued().first)
        #expect(event.type == .abnormal && event.reason?.kind == .outOfMemory)
        #expect(event.reason?.message?.contains("killed for memory") == true)
    }

    private static let memoryGroups = "/sys/fs/cgroup/memory"

    /// A real kill, where the machine lets a control group be made (cgroup v1).
    @Test(.enabled(if: access(memoryGroups + "/memory.limit_in_bytes", W_OK) == 0))
    func theKernelsKillForMemoryIsTold() throws {
        let hog = try CompiledProgram.build(
            "hog",
            source: """
                #include <stdlib.h>
                #include <string.h>
                int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
                """, extension: "c", compiler: "gcc", flags: ["-O0", "-fno-builtin"], in: storage)
        let group = "\(Self.memoryGroups)/vaka-test-\(storage.path.suffix(6))"
        try #require(mkdir(group, 0o755) == 0)
        defer { rmdir(group) }
        try Data("60000000".utf8).write(to: URL(filePath: group + "/memory.limit_in_bytes"))
        let result = try ChildProcess.run(
            "/bin/sh",
            ["-c", "echo $$ > \(group)/cgroup.procs; exec \"$0\" \"$@\"", Self.command] + words([hog]),
            environment: Self.environment)
        #expect(result.status == .signalled(SIGKILL), "\(result.errors)")
        let event = try #require(try queued().first)
        #expect(event.type == .abnormal && event.reason?.kind == .outOfMemory)
        #expect(event.contexts["process"]?["name"] == "hog")
    }

    /// As the first process of a namespace: orphans do not stay, and the namespace ends with the program's status.
    @Test(.enabled(if: geteuid() == 0), arguments: [("exit 5", Int32(5)), ("kill -SEGV $$", 128 + SIGSEGV)])
    func asFirstProcess(end: String, status: Int32) throws {
        // The orphan ends while the program looks at it: as long as a zombie stays, its folder in /proc does.
        let script = """
            echo "first is $PPID"
            ( sh -c 'echo $$; exec sleep 0.2' & ) > \(storage.path)/orphan
            while ! [ -s \(storage.path)/orphan ]; do sleep 0.02; done
            orphan=$(cat \(storage.path)/orphan)
            for i in $(seq 500); do [ -d /proc/$orphan ] || break; sleep 0.02; done
            [ -d /proc/$orphan ] && echo zombie || echo reaped
            \(end)
            """
        let result = try ChildProcess.run(
            "unshare",
            ["--fork", "--pid", "--mount-proc", "--kill-child", Self.command] + words(["/bin/sh", "-c", script]),
            environment: Self.environment)
        #expect(result.status == .exited(status), "\(result.errors)")
        #expect(result.output == "first is 1\nreaped\n")
    }

    @Test func aMissingLibraryIsToldWithTheNextStep() throws {
        let named = try ChildProcess.run(Self.command, ["run", "--library", "/nonexistent.so", "--", "true"])
        #expect(named.status == .exited(2) && named.errors.contains("/nonexistent.so"))
        let folder = try TemporaryFolder()
        let alone = folder.path + "/vaka"
        try FileManager.default.copyItem(atPath: Self.command, toPath: alone)
        let result = try ChildProcess.run(
            alone, ["run", "--storage", storage.path, "--", "/bin/echo", "ran"], environment: Self.environment)
        #expect(result.status == .exited(0) && result.output == "ran\n")
        #expect(result.errors.contains("--library"))
    }
}
