// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// `vaka core` on the records of real crashes, opened with gdb.
@Suite struct CoreExportTests {
    /// Stacks that the capture holds whole.
    private static let crashers = [
        "abort", "assert-failure", "call-null", "dispatch-queue", "divide-by-zero", "double-free", "fixed-address",
        "force-unwrap", "forced-cast", "inlining", "linked", "null-read", "null-write", "pure-virtual", "qsort-abort",
        "raise-segv", "rust-panic", "signal-handler", "uncaught-exception", "worker-thread",
    ]

    /// What gdb says of a thread of the core.
    private struct Frame: Decodable, Equatable {
        var address: UInt64
        var name: String?
    }

    private static let script = """
        import gdb, json
        gdb.execute("set backtrace past-main on")
        threads = {}
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            frame, frames = gdb.newest_frame(), []
            while frame is not None:
                if frame.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
                    frames.append({"address": frame.pc(), "name": frame.name()})
                frame = frame.older()
            threads[str(thread.ptid[1])] = frames
        print("THREADS " + json.dumps(threads))

        """

    private func vaka(_ arguments: [String]) throws -> ChildProcess.Result {
        let result = try ChildProcess.run(BuildProducts.executable("vaka"), arguments)
        #expect(result.status == .exited(0), "\(arguments): \(result.errors)")
        return result
    }

    private func gdb(_ program: String, _ core: String, _ commands: [String]) throws -> ChildProcess.Result {
        let settings = ["-batch", "-nx", "-iex", "set debuginfod enabled off", "-iex", "set auto-load safe-path /"]
        return try ChildProcess.run("gdb", settings + commands + [program, core], seconds: 120)
    }

    private func symbolicated(_ path: String) throws -> Event {
        try ModelCoding.decode(Event.self, from: vaka(["symbolicate", "--format", "json", path]).outputData)
    }

    private func physical(_ thread: ThreadState) -> [VakaModel.Frame] {
        thread.frames.filter { !$0.inlined && $0.trust != .async }
    }

    @Test(arguments: Crasher.all.filter { crashers.contains($0.name) })
    func gdbShowsEveryThreadsStack(crasher: Crasher) throws {
        let folder = try TemporaryFolder()
        let run = try CrashRun(crasher)
        let record = try #require(run.records.first)
        let core = folder.path + "/core"
        _ = try vaka(["core", record, "-o", core])
        let event = try symbolicated(record)

        let script = folder.path + "/threads.py"
        try Data(Self.script.utf8).write(to: URL(filePath: script))
        let answer = try gdb(crasher.executable, core, ["-x", script])
        #expect(!answer.errors.contains("valid object file"), "\(answer.errors)")
        let line = try #require(answer.output.split(separator: "\n").last { $0.hasPrefix("THREADS ") }, "\(answer)")
        let threads = try JSONDecoder().decode([String: [Frame]].self, from: Data(line.dropFirst(8).utf8))

        let known = event.threads.filter { !$0.registers.isEmpty }
        #expect(threads.count == known.count)
        for thread in known {
            let expected = physical(thread)
            let seen = try #require(threads[String(thread.id)], "no thread \(thread.id)")
            #expect(seen.map(\.address) == expected.map(\.instructionAddress.rawValue), "thread \(thread.id)")
            guard crasher.language == "c" else { continue }
            for (frame, own) in zip(seen, expected) where own.module == crasher.name {
                #expect(frame.name == own.function)
            }
        }

        let again = try symbolicated(core)
        #expect(again.reason?.signal == event.reason?.signal)
        for thread in known {
            let back = try #require(again.threads.first { $0.id == thread.id })
            #expect(back.crashed == thread.crashed)
            let texts = [thread, back].map {
                $0.frames.map { "\($0.instructionAddress) \($0.function ?? "?") \($0.line ?? 0)" }
            }
            #expect(texts[0] == texts[1])
        }
    }

    @Test func tenCrashersAreTried() {
        #expect(Crasher.all.filter { Self.crashers.contains($0.name) }.count >= 10)
    }

    /// The program was moved: --symbols finds it by its build id, and its new path is what debuggers are given.
    @Test func aMovedProgramIsFoundBySymbols() throws {
        let folder = try TemporaryFolder()
        let crasher = try #require(Crasher.all.first { $0.name == "null-write" })
        let elsewhere = folder.path + "/elsewhere"
        try FileManager.default.copyItem(atPath: crasher.executable, toPath: elsewhere)
        let run = try CrashRun(crasher)
        let record = try #require(run.records.first)
        let core = folder.path + "/core"

        let bare = try vaka(["core", "--no-system", "-o", core, record])
        #expect(bare.errors.contains("no file of \(crasher.executable), build id"))
        let result = try vaka(["core", "--no-system", "--symbols", elsewhere, "-o", core, record])
        #expect(!result.errors.contains(crasher.executable))
        let answer = try gdb(elsewhere, core, ["-ex", "bt", "-ex", "info proc mappings"])
        #expect(answer.output.contains("null-write.c:"), "\(answer)")
        #expect(answer.output.contains(elsewhere))
    }

    @Test func localsInTheCapturedStackPrint() throws {
        let folder = try TemporaryFolder()
        let source = """
            #include <string.h>
            struct point { int x, y; };
            static int inner(int *where) {
                struct point place = {41, 43};
                char word[16];
                strcpy(word, "captured");
                *where = place.x;
                return word[0];
            }
            int main(void) { long outer = 123456789; return inner((int *)8) + (int)outer; }
            """
        let program = try CompiledProgram.build(
            "locals", source: source, extension: "c", compiler: "gcc", flags: ["-g", "-O0"], in: folder)
        _ = try ChildProcess.run(
            program, environment: ["VAKA_STORAGE": folder.path + "/s", "LD_PRELOAD": BuildProducts.preloadLibrary])
        let record = try #require(folder.entries("s/crashes").first { $0.hasSuffix(".vakacrash") })
        let core = folder.path + "/core"
        _ = try vaka(["core", "\(folder.path)/s/crashes/\(record)", "--output", core])
        let answer = try gdb(
            program, core, ["-ex", "info locals", "-ex", "info args", "-ex", "up", "-ex", "info locals"])
        #expect(answer.output.contains("Program terminated with signal SIGSEGV"))
        #expect(answer.output.contains("place = {x = 41, y = 43}"), "\(answer)")
        #expect(answer.output.contains("word = \"captured"))
        #expect(answer.output.contains("where = 0x8"))
        #expect(answer.output.contains("outer = 123456789"))
    }

    @Test func wrongUseIsTold() throws {
        let folder = try TemporaryFolder()
        let none = try ChildProcess.run(BuildProducts.executable("vaka"), ["core", "x"])
        #expect(none.status == .exited(2))
        #expect(none.errors.contains("-o F is missing"))
        let document = folder.path + "/message.json"
        let event = Event(
            eventID: "0", type: .message, timestamp: Timestamp(nanoseconds: 0), level: .info, arch: "x86_64")
        try ModelCoding.encode(event).write(to: URL(filePath: document))
        let empty = try ChildProcess.run(
            BuildProducts.executable("vaka"), ["core", document, "-o", folder.path + "/core"])
        #expect(empty.status == .exited(1))
        #expect(empty.errors.contains("no thread's registers"))
        #expect(folder.entries("") == ["message.json"])
    }
}
