// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Each of the seven signals: one record, and the end that the program would have had.
@Suite struct SignalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var way: String
        var signal: Int32
        var name: String
        var code: String
        var address: UInt64?
        var testDescription: String { way }
    }

    static let cases = [
        Case(way: "null-write", signal: SIGSEGV, name: "SIGSEGV", code: "SEGV_MAPERR", address: 8),
        Case(
            way: "non-canonical", signal: SIGSEGV, name: "SIGSEGV", code: "SI_KERNEL", address: 0x8000_0000_0000_1230),
        Case(way: "call-null", signal: SIGSEGV, name: "SIGSEGV", code: "SEGV_MAPERR", address: 0),
        Case(way: "raise", signal: SIGSEGV, name: "SIGSEGV", code: "SI_TKILL"),
        Case(way: "bus-error", signal: SIGBUS, name: "SIGBUS", code: "BUS_ADRERR"),
        Case(way: "illegal", signal: SIGILL, name: "SIGILL", code: "ILL_ILLOPN"),
        Case(way: "breakpoint", signal: SIGTRAP, name: "SIGTRAP", code: "SI_KERNEL"),
        Case(way: "divide", signal: SIGFPE, name: "SIGFPE", code: "FPE_INTDIV"),
        Case(way: "trapped-call", signal: SIGSYS, name: "SIGSYS", code: "SYS_SECCOMP"),
        Case(way: "abort", signal: SIGABRT, name: "SIGABRT", code: "SI_TKILL"),
        Case(way: "kill", signal: SIGABRT, name: "SIGABRT", code: "SI_USER"),
    ]

    @Test(arguments: cases) func signalLeavesOneRecord(_ expected: Case) throws {
        let program = try TestPrograms.plain()
        let without = try ChildProcess.run(program, [expected.way])
        let captured = try Captured.preloaded(program, [expected.way])

        #expect(captured.result.status == .signalled(expected.signal))
        #expect(captured.result.status == without.status)
        #expect(captured.result.errors == "")
        let record = try captured.record()
        #expect(record.isComplete)
        #expect(record.damage.isEmpty)
        let event = record.event()
        #expect(event.reason?.signal == expected.name)
        #expect(event.reason?.code == expected.code)
        if let address = expected.address { #expect(event.reason?.faultAddress == HexAddress(address)) }
        if expected.address == nil, expected.code.hasPrefix("SI_") { #expect(event.reason?.faultAddress == nil) }
        #expect(event.loss.isEmpty, "\(event.loss)")
        let crashed = try #require(event.threads.first)
        #expect(crashed.crashed)
        #expect(crashed.name == "plain")
        #expect(crashed.registers["rip"] == crashed.frames.first?.instructionAddress)
        #expect((crashed.stack?.data.count ?? 0) > 1024)
    }
}
