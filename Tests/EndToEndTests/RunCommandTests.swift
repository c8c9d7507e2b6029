// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// `vaka run` around real programs.
@Suite struct RunCommandTests {
    private let setup: RunSetup
    private var storage: TemporaryFolder { setup.storage }

    init() throws { setup = try RunSetup() }

    /// A program with the SDK has a folder of its own, and its copy of the library stands in the place of the preloaded one:
    /// its end is told once, from there, with the last lines.
    @Test(arguments: [SIGSEGV, SIGKILL]) func aProgramWithTheSDKIsToldOfOnce(signal: Int32) throws {
        let server = try ScriptedServer()
        let own = storage.path + "/own"
        let program = [BuildProducts.executable("sdk-test-program"), server.url, own]
        let process = try ChildProcess(
            RunSetup.command,
            setup.words(
                program + ["tag=shard=7", "flush=30", "say=ready", "wait"], ["--url", server.url, "--key", "vk_x"]),
            environment: RunSetup.environment)
        try process.waitForOutput("ready")
        let child = try #require(try children(of: process.processID).first)
        kill(child, signal)
        let result = try process.wait()
        #expect(result.status == .signalled(signal), "\(result.errors)")
        let events = try server.requests().flatMap(\.items).filter { $0["kind"] == "event" }.map {
            try ModelCoding.decode(Event.self, from: ModelCoding.encode($0["payload"]))
        }
        let event = try #require(events.count == 1 ? events.first : nil, "\(events.map(\.type)) \(result.errors)")
        #expect(event.type == (signal == SIGKILL ? .abnormal : .crash) && event.tags == ["shard": "7"])
        #expect(event.breadcrumbs.contains { $0.category == "stderr" })
        #expect(storage.entries("runs").isEmpty && storage.entries("own/runs").isEmpty)
        #expect(setup.documents.isEmpty)
        // The next launch has nothing left to tell.
        _ = try ChildProcess.run(program[0], Array(program.dropFirst()) + ["untracked", "flush=30"])
        #expect(try server.requests().flatMap(\.items).count { $0["kind"] == "event" } == 1)
    }

    private func children(of parent: pid_t) throws -> [pid_t] {
        try String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
            .split(separator: " ").compactMap { pid_t($0) }
    }

    @Test(arguments: [Int32(0), 3]) func exitStatusesPass(code: Int32) throws {
        let result = try setup.shell("echo out; echo err >&2; exit \(code)")
        #expect(result.status == .exited(code))
        #expect(result.output == "out\n" && result.errors == "err\n")
        #expect(try setup.kept().isEmpty)
    }

    @Test func whatCannotBeStartedHasTheShellsStatus() throws {
        let missing = try setup.run(["/nonexistent/program"])
        #expect(missing.status == .exited(127))
        #expect(missing.errors.contains("cannot start /nonexistent/program: No such file or directory"))
        #expect(try setup.run(["/etc/passwd"]).status == .exited(126))
    }

    @Test func standardInputAndWhatIsPreloadedAreThePrograms() throws {
        let result = try ChildProcess.run(
            RunSetup.command, setup.words(["/bin/sh", "-c", "cat; echo $LD_PRELOAD; kill -s PIPE $$"]),
            environment: RunSetup.environment.merging(["LD_PRELOAD": "libm.so.6"]) { $1 }, input: Data("word\n".utf8))
        #expect(result.output == "word\n\(BuildProducts.preloadLibrary):libm.so.6\n")
        #expect(result.status == .signalled(SIGPIPE), "what this command ignores, the program does not")
    }

    @Test func muchStandardErrorPassesUnchanged() throws {
        let result = try setup.shell("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; printf 'end\\377' >&2; exit 4")
        #expect(result.status == .exited(4))
        #expect(result.errors == String(repeating: "x", count: 3_000_000) + "end\u{fffd}")
    }

    /// It may hold standard error open as long as it likes.
    @Test func whatTheProgramLeavesBehindIsNotWaitedFor() throws {
        let started = ContinuousClock.now
        let result = try setup.shell("echo last >&2; sleep 30 & exit 3")
        #expect(result.status == .exited(3) && result.errors == "last\n")
        #expect(ContinuousClock.now - started < .seconds(25))
    }

    /// A container is given some seconds to stop: a service that takes the request and says nothing gets no more.
    @Test func aSilentServiceIsNotWaitedForLong() throws {
        let server = try ScriptedServer(default: .init(delay: 120))
        let started = ContinuousClock.now
        let result = try setup.shell("kill -KILL $$", ["--url", server.url, "--key", "vk_x"])
        #expect(result.status == .signalled(SIGKILL))
        #expect(ContinuousClock.now - started < .seconds(60))
        #expect(try setup.queued().count == 1, "\(result.errors)")
    }

    @Test func aCrashCarriesTheLastLines() throws {
        let result = try setup.shell("echo 'opening the order' >&2; exec \(BuildProducts.crasher("null-write"))")
        #expect(result.status == .signalled(SIGSEGV))
        #expect(result.errors.hasPrefix("opening the order\n"))
        let event = try #require(try setup.kept().first)
        #expect(event.type == .crash && event.reason?.signal == "SIGSEGV")
        #expect(event.crashedThread?.frames.isEmpty == false)
        #expect(event.breadcrumbs.contains { $0.category == "stderr" && $0.message == "opening the order" })
        #expect(storage.entries("crashes").filter { $0.contains(".vakacrash") } == [])
        #expect(result.errors.contains("vaka submit \(storage.path)"), "\(result.errors)")
        // The next steps that it names do what they say.
        let document = try #require(setup.documents.first)
        let text = try ChildProcess.run(RunSetup.command, ["symbolicate", document])
        #expect(text.status == .exited(0) && text.output.contains("book_order"), "\(text.errors)")
        #expect(text.output.contains("[stderr] opening the order"))
        let server = try ScriptedServer()
        let sent = try ChildProcess.run(
            RunSetup.command, ["submit", storage.path, "--url", server.url, "--key", "vk_x"])
        #expect(sent.status == .exited(0) && sent.output == "sent \(event.eventID)\n", "\(sent.errors)")
        let items = try server.requests().flatMap(\.items)
        #expect(items.map { $0["id"]?.string } == [event.eventID])
        let arrived = try ModelCoding.decode(Event.self, from: ModelCoding.encode(items.first?["payload"]))
        #expect(arrived.breadcrumbs == event.breadcrumbs)
        #expect(setup.documents.isEmpty)
    }

    /// Nothing can be preloaded into it: the end is told all the same, and why there is no more.
    @Test(arguments: ["gcc", "musl-gcc"]) func aStaticProgram(compiler: String) throws {
        let source = """
            #include <stdio.h>
            int main(void) { fputs("last word\\n", stderr); *(volatile int *)8 = 1; }
            """
        let program = try CompiledProgram.build(
            "static", source: source, extension: "c", compiler: compiler, flags: ["-static"], in: storage)
        #expect(try setup.run([program]).status == .signalled(SIGSEGV))
        let event = try #require(try setup.kept().first)
        #expect(event.type == .crash && event.reason?.signal == "SIGSEGV" && event.reason?.message == nil)
        #expect(event.breadcrumbs.map(\.message) == ["last word"])
        #expect(event.loss.contains { $0.what == "threads" && $0.why.contains("linked statically") })
        #expect(event.contexts["kernel"]?["name"] == "Linux" && event.contexts["process"]?["name"] == "static")
        #expect(event.contexts["process"]?["end"]?["cause"] == "crashed")
    }

    /// Go's runtime prints its panic and exits with 2.
    @Test func aGoPanicIsACrash() throws {
        let text = """
            panic: runtime error: invalid memory address or nil pointer dereference
            [signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f2c1]

            goroutine 1 [running]:
            main.total(...)
                /src/shop/main.go:12
            exit status 2
            """
        #expect(try setup.shell("cat >&2 <<'END'\n\(text)\nEND\nexit 2").status == .exited(2))
        let event = try #require(try setup.kept().first)
        #expect(event.type == .crash && event.reason?.messageSource == .stderr)
        #expect(event.reason?.message?.hasPrefix("panic: runtime error: invalid memory address") == true)
        #expect(event.contexts["process"]?["end"]?["exit_status"] == 2)
    }

    /// A shell's children are runs of their own, and end as they like.
    @Test func whatAScriptRunsIsNoReport() throws {
        let result = try setup.shell("true | cat; sh -c 'exit 3'; (sleep 60 & kill $!); yes | head -n 1; exit 0")
        #expect(result.status == .exited(0), "\(result.errors)")
        #expect(try setup.kept().isEmpty)
        let server = try ScriptedServer()
        _ = try ChildProcess.run(RunSetup.command, ["submit", storage.path, "--url", server.url, "--key", "vk_x"])
        #expect(try server.requests().isEmpty)
    }

    /// The supervisor knows how the program ended, whatever its run file looks like.
    @Test func aSignalThatAsksIsNoReportEvenFromAHandlerThatSendsItAgain() throws {
        let program = try CompiledProgram.build(
            "again",
            source: """
                #include <signal.h>
                #include <stdio.h>
                #include <unistd.h>
                static void again(int number) { signal(number, SIG_DFL); raise(number); }
                int main(void) { signal(SIGTERM, again); puts("ready"); fflush(stdout); for (;;) pause(); }
                """, extension: "c", compiler: "gcc", flags: [], in: storage)
        let process = try ChildProcess(RunSetup.command, setup.words([program]), environment: RunSetup.environment)
        try process.waitForOutput("ready")
        process.kill(SIGTERM)
        #expect(try process.wait().status == .signalled(SIGTERM))
        #expect(try setup.kept().isEmpty && storage.entries("runs").isEmpty)
    }

    @Test func aRustPanicReachesTheService() throws {
        let server = try ServerProcess()
        let result = try setup.run(
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
        #expect(try setup.kept().isEmpty)
    }

    /// One that unwinds, and exits with 101: there is no signal and no record.
    @Test func aRustPanicThatUnwindsIsACrash() throws {
        let program = try CompiledProgram.build(
            "unwinding", source: "fn main() { None::<u8>.expect(\"no order\"); }", extension: "rs", compiler: "rustc",
            flags: [], in: storage)
        #expect(try setup.run([program]).status == .exited(101))
        let event = try #require(try setup.kept().first)
        #expect(event.type == .crash && event.reason?.messageSource == .stderr)
        #expect(event.reason?.message?.hasSuffix("no order") == true)
    }

    @Test func aFailedSendingLeavesTheReportAndTheStatus() throws {
        let started = ContinuousClock.now
        let result = try setup.shell("kill -KILL $$", ["--url", "http://127.0.0.1:1", "--key", "vk_x"])
        #expect(result.status == .signalled(SIGKILL))
        #expect(result.errors.contains("vaka submit"), "\(result.errors)")
        #expect(ContinuousClock.now - started < .seconds(40))
        #expect(try setup.queued().count == 1)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH])
    func signalsAreForwarded(signal: Int32) throws {
        let script = "trap 'echo taken; exit 9' \(signal); echo ready; while :; do sleep 0.05; done"
        let process = try ChildProcess(
            RunSetup.command, setup.words(["/bin/sh", "-c", script]), environment: RunSetup.environment)
        try process.waitForOutput("ready")
        process.kill(signal)
        let result = try process.wait()
        #expect(result.status == .exited(9))
        #expect(result.output == "ready\ntaken\n")
    }

    @Test func aProgramThatATermEndsIsNoReport() throws {
        let process = try ChildProcess(
            RunSetup.command, setup.words(["/bin/sh", "-c", "echo ready; exec sleep 60"]),
            environment: RunSetup.environment)
        try process.waitForOutput("ready")
        process.kill(SIGTERM)
        #expect(try process.wait().status == .signalled(SIGTERM))
        #expect(try setup.kept().isEmpty)
    }

    @Test func aKillIsAbnormal() throws {
        #expect(try setup.shell("echo working >&2; kill -KILL $$").status == .signalled(SIGKILL))
        let event = try #require(try setup.kept().first)
        #expect(event.type == .abnormal && event.reason?.kind == .killed && event.reason?.signal == "SIGKILL")
        #expect(event.breadcrumbs.map(\.message) == ["working"])
        #expect(event.threads.isEmpty && event.loss.contains { $0.what == "threads" })
        #expect(event.reason?.message == "Killed by SIGKILL")
        #expect(event.contexts["process"]?["end"]?["certainty"] == "certain")
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
        let result = try setup.shell(
            "for f in \(files); do echo oom_kill 2 > $f; done; kill -KILL $$", ["--cgroup-root", cgroup.path])
        #expect(result.status == .signalled(SIGKILL))
        let event = try #require(try setup.kept().first)
        #expect(event.type == .abnormal && event.reason?.kind == .outOfMemory)
        #expect(event.reason?.message?.hasPrefix("Killed for memory\n") == true)
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
            ["--fork", "--pid", "--mount-proc", "--kill-child", RunSetup.command]
                + setup.words(["/bin/sh", "-c", script]),
            environment: RunSetup.environment)
        #expect(result.status == .exited(status), "\(result.errors)")
        #expect(result.output == "first is 1\nreaped\n")
    }

    @Test func aMissingLibraryIsToldWithTheNextStep() throws {
        let named = try ChildProcess.run(RunSetup.command, ["run", "--library", "/nonexistent.so", "--", "true"])
        #expect(named.status == .exited(2) && named.errors.contains("/nonexistent.so"))
        let folder = try TemporaryFolder()
        let alone = folder.path + "/vaka"
        try CompiledProgram.copy(RunSetup.command, to: alone)
        let result = try ChildProcess.run(
            alone, ["run", "--storage", storage.path, "--", "/bin/echo", "ran"], environment: RunSetup.environment)
        #expect(result.status == .exited(0) && result.output == "ran\n")
        #expect(result.errors.contains("--library"))
    }
}
