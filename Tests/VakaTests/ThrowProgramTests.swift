// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Where an error was thrown, and where it was captured.
@Suite(.notUnderThreadSanitizer("its own frames are the innermost")) struct ThrowProgramTests {
    let run: ProgramRun

    init() throws {
        run = try ProgramRun()
    }

    func innermost(_ event: Event) throws -> String {
        let frame = try #require(event.errors.first?.frames.first)
        let image = try #require(event.debugImages.first { $0.contains(frame.instructionAddress.rawValue) })
        let address = HexAddress(frame.lookupAddress - (image.loadBias?.rawValue ?? 0))
        return try ChildProcess.run(
            "/usr/bin/env", ["addr2line", "-f", "-e", image.codeFile ?? "", address.description]
        ).output
    }

    @Test(arguments: ["thrown", "thrown-afar"]) func theStackOfTheThrow(step: String) throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "throws", step, "flush=30").wait()
        let event = try #require(try server.events().first)
        #expect(event.errors.first?.stackOf == .throw)
        #expect(event.errors.first?.message == "SampleError(number: 9)")
        #expect(try innermost(event).contains("throwSample"))
    }

    @Test func withoutTheOptionItIsThatOfTheCapture() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "thrown", "flush=30").wait()
        let event = try #require(try server.events().first)
        #expect(event.errors.first?.stackOf == .capture)
        #expect(try innermost(event).contains("captureAgain"))
    }

    /// Never thrown: there is nothing but the capture.
    @Test func anErrorThatWasMadeOnly() throws {
        let server = try ScriptedServer()
        _ = try run.start(server, "throws", "thrown", "error", "flush=30").wait()
        let events = try server.events()
        #expect(events.map { $0.errors.first?.stackOf } == [.throw, .capture])
        #expect(try innermost(try #require(events.last)).contains("captureSample"))
    }

    /// What is kept of errors keeps neither them nor their memory.
    @Test func manyThrows() throws {
        let server = try ScriptedServer()
        let result = try run.start(server, "throws", "throwing=20000", "thrown", "flush=30").wait()
        #expect(result.status == .exited(0))
        #expect(!result.output.contains("wrong"))
        #expect(try server.events().map { $0.errors.first?.stackOf } == [.throw])
    }
}
