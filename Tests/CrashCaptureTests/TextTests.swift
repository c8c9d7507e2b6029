// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// The texts that explain a crash.
@Suite struct TextTests {
    @Test(
        arguments: [
            ("standard", "std::runtime_error: bad thing: 42"),
            ("second-base", "(anonymous namespace)::Second: from the second base"),
            ("virtual-base", "(anonymous namespace)::Virtual: virtual base"),
            ("integer", "int"),
            ("other", "(anonymous namespace)::Other"),
            ("none", "std::terminate was called without an active exception"),
            ("noexcept", "std::runtime_error: out of noexcept"),
            ("rethrown", "std::runtime_error: inner"),
            ("worker", "std::out_of_range: in a worker"),
        ])
    func uncaughtException(_ way: String, _ message: String) throws {
        let captured = try Captured.preloaded(try TestPrograms.throwing(), [way])
        #expect(captured.result.status == .signalled(SIGABRT))
        #expect(captured.result.errors.contains("terminate called"), "the previous handler speaks too")
        let reason = try #require(try captured.record().event().reason)
        #expect(reason.message == message)
        #expect(reason.messageSource == .cxx)
    }

    @Test func glibcAbortText() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["double-free"])
        #expect(captured.result.status == .signalled(SIGABRT))
        let reason = try #require(try captured.record().event().reason)
        #expect(reason.message == "free(): double free detected in tcache 2")
        #expect(reason.messageSource == .glibc)
    }

    @Test func swiftFatalError() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "fatal", source: "fatalError(\"the swift text\")\n", extension: "swift", compiler: "swiftc", flags: ["-O"],
            in: folder)
        let captured = try Captured.preloaded(program, environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(captured.result.status == .signalled(SIGILL))
        let reason = try #require(try captured.record().event().reason)
        #expect(reason.message?.hasSuffix("Fatal error: the swift text") == true)
        #expect(reason.messageSource == .swift)
    }

    @Test func hostMessage() throws {
        let reason = try #require(try Captured.host("tell").record().event().reason)
        #expect(reason.message == "the host's own words")
        #expect(reason.messageSource == .host)
    }

    @Test func longMessageIsCutAndSaysSo() throws {
        let event = try Captured.host("long-message").record().event()
        #expect(event.reason?.message?.count == 4096)
        #expect(event.loss.contains { $0.what == "the end of the message" })
    }

    @Test func forgottenMessage() throws {
        #expect(try Captured.host("forgotten-message").record().event().reason?.message == nil)
    }
}
