// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Under a debugger that stops at the signal and lets it go on to the program, or swallows it.
@Suite(.enabled(if: Machine.hasGdb)) struct DebuggerTests {
    private func debug(_ commands: [String], way: String) throws -> (said: String, captured: Captured) {
        let storage = try TemporaryFolder()
        let environment = ["LD_PRELOAD=\(try CaptureLibrary.shared())", "VAKA_STORAGE=\(storage.path)"]
        let set = ["set startup-with-shell off"] + environment.map { "set environment \($0.replacing("=", with: " "))" }
        let words = (set + commands).flatMap { ["-ex", $0] }
        let result = try ChildProcess.run(
            "gdb", ["-batch", "-nx"] + words + ["--args", try TestPrograms.plain(), way])
        return (result.output, Captured(result: result, storage: storage))
    }

    @Test(arguments: [("null-write", "SIGSEGV"), ("abort", "SIGABRT")])
    func programGoesOnToItsCrash(_ way: String, _ signal: String) throws {
        let (said, captured) = try debug(["run", "bt 1", "continue", "continue", "continue"], way: way)
        #expect(said.contains("Program received signal \(signal)"), "\(said)")
        #expect(said.contains("Program terminated with signal \(signal)"), "\(said)")
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.reason?.signal == signal)
        #expect(event.threads.count == 1)
        #expect((event.threads.first?.frames.count ?? 0) > 2)
        #expect(event.loss.isEmpty, "\(event.loss)")
    }

    /// The signal that stops the other threads is seen by the debugger, too.
    @Test func crashOnAnotherThread() throws {
        let (said, captured) = try debug(
            ["handle SIG56 nostop noprint pass", "run", "continue", "continue"], way: "thread")
        #expect(said.contains("Program terminated with signal SIGSEGV"), "\(said)")
        let event = try captured.record().event()
        #expect(event.threads.map(\.name) == ["worker", "plain"])
        #expect(event.threads.map(\.crashed) == [true, false])
        #expect(event.threads.allSatisfy { !$0.frames.isEmpty })
    }

    /// As gdb does with SIGTRAP unless it is told not to.
    @Test func swallowedSignalLeavesNone() throws {
        let (said, captured) = try debug(["run", "continue"], way: "breakpoint")
        #expect(said.contains("Program received signal SIGTRAP"), "\(said)")
        #expect(said.contains("exited with code 0142"), "\(said)")
        #expect(captured.crashes.isEmpty)
        #expect(captured.runs.isEmpty)
    }
}
