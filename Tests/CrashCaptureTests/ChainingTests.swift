// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Handlers that were there before ours, or came after.
@Suite struct ChainingTests {
    @Test func previousHandlerGetsTheOriginal() throws {
        let captured = try Captured.host("chained")
        #expect(captured.result.status == .exited(42))
        #expect(captured.result.output == "signal 11 code 1 address 8 pc 1 usr1 1 own 1 errno 77\n")
        #expect(try captured.record().isWhole)
    }

    @Test func previousHandlerOfASentSignal() throws {
        let captured = try Captured.host("chained-raise")
        #expect(captured.result.status == .exited(42))
        #expect(captured.result.output.hasPrefix("signal 6 code -6 "))
        #expect(captured.result.output.hasSuffix(" usr1 1 own 0 errno 77\n"), "SA_NODEFER is respected")
        #expect(try captured.record().event().reason?.code == "SI_TKILL")
    }

    @Test func handlerThatRecovers() throws {
        let captured = try Captured.host("recovering")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "recovered\n")
        #expect(try captured.record().isWhole)
    }

    @Test func handlerThatReturns() throws {
        let captured = try Captured.host("returning")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "returned from 5\nerrno 55\nreturned from 5\n")
        #expect(captured.crashes.isEmpty, "the program dealt with it")
        #expect(captured.runs.isEmpty)
    }

    /// The program's memory below its stack is not written to, and the stack is its own again.
    @Test func smallAlternateStack() throws {
        let captured = try Captured.host("small-stack")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "returned from 5\n0 bytes beside it; own 1\n")
    }

    @Test func oneShotHandler() throws {
        let captured = try Captured.host("reset-hand")
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(captured.result.output == "returned from 11\n")
        #expect(captured.crashes.count == 1)
    }

    @Test func ignoredSignalIsNoCrash() throws {
        let captured = try Captured.host("ignored")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "went on\n")
        #expect(captured.crashes.isEmpty)
        #expect(captured.runs.isEmpty)
    }

    @Test(arguments: ["later-handler", "reinstalled-under-later"]) func laterHandlerThatChains(_ way: String) throws {
        let captured = try Captured.host(way)
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(try captured.record().isWhole)
    }

    /// It speaks, puts ours back and raises the signal again: the frames lead through it to the fault.
    @Test func pythonsFaultHandler() throws {
        let arguments = ["-X", "faulthandler", "-c", "import ctypes; ctypes.string_at(8)"]
        let without = try ChildProcess.run("python3", arguments)
        let captured = try Captured.preloaded("python3", arguments)
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(captured.result.status == without.status)
        #expect(captured.result.errors.contains("Fatal Python error: Segmentation fault"))
        let event = try captured.record().event()
        #expect(event.reason?.code == "SI_TKILL")
        let frames = try #require(event.crashedThread).frames
        #expect(frames.count > 10)
        #expect(frames.contains { $0.notes.contains(Frame.interrupted) })
    }

    @Test func laterHandlerAfterUninstall() throws {
        let captured = try Captured.host("later-uninstalled")
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(captured.crashes.isEmpty)
    }

    @Test func uninstallPutsBack() throws {
        let captured = try Captured.host("uninstalled")
        #expect(captured.result.status == .exited(42))
        #expect(captured.result.output.hasPrefix("0 []\nsignal 11 "))
        #expect(captured.crashes.isEmpty)
        #expect(captured.runs.isEmpty)
    }

    @Test func installAfterUninstall() throws {
        let captured = try Captured.host("reinstalled")
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.tags == ["again": "yes"])
    }

    /// The program's own copy takes the preloaded one's place; what that leaves says where the crash is told of.
    @Test func twoCopiesOfTheLibrary() throws {
        let storage = try TemporaryFolder()
        let captured = try Captured.preloaded(
            try TestPrograms.host(), [storage.path + "/own", "tell"], storage: storage)
        #expect(captured.result.status == .signalled(SIGSEGV))
        #expect(captured.crashes.isEmpty)
        #expect(captured.runs.count == 1)
        let name = try #require(captured.runs.first)
        let run = try RunFile(contentsOf: storage.path + "/runs/" + name)
        #expect(run.state == VAKA_RUN_HANDED_OVER)
        #expect(run.context.run["heir"] == storage.path + "/own")
        #expect(storage.entries("own/crashes").count == 1)
    }

    /// The Swift runtime's backtracer is there first and still speaks; off, it is not there at all.
    @Test(arguments: [true, false]) func swiftBacktracerBeforeUs(isOn: Bool) throws {
        let (captured, without) = try runSwift(isStatic: false, isOn: isOn)
        #expect(captured.result.status == .signalled(SIGILL))
        #expect(captured.result.status == without.status)
        #expect(captured.result.errors.contains("*** Program crashed:") == isOn)
        #expect(without.errors.contains("*** Program crashed:") == isOn)
        try expectWholeSwiftRecord(captured)
    }

    /// In a program that brings the runtime along, it comes after a preloaded library and leaves our handlers alone.
    @Test func swiftBacktracerAfterUs() throws {
        let (captured, without) = try runSwift(isStatic: true, isOn: true)
        #expect(captured.result.status == .signalled(SIGILL))
        #expect(captured.result.status == without.status)
        try expectWholeSwiftRecord(captured)
    }

    private func runSwift(isStatic: Bool, isOn: Bool) throws -> (captured: Captured, without: ChildProcess.Result) {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "fatal", source: "fatalError(\"both\")\n", extension: "swift", compiler: "swiftc",
            flags: ["-O"] + (isStatic ? ["-static-stdlib"] : []), in: folder)
        let environment = ["SWIFT_BACKTRACE": "enable=\(isOn ? "yes" : "no"),color=no,interactive=no"]
        return (
            try Captured.preloaded(program, environment: environment),
            try ChildProcess.run(program, environment: environment)
        )
    }

    private func expectWholeSwiftRecord(_ captured: Captured) throws {
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.reason?.signal == "SIGILL")
        #expect(event.reason?.message?.contains("both") == true)
        #expect((event.crashedThread?.frames.count ?? 0) > 2)
        #expect(event.loss.isEmpty, "\(event.loss)")
    }
}
