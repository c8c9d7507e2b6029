// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import VakaModel

/// Each declared program: how it ends, how many records it leaves, and what the record says of the reason.
@Suite struct CrasherTests {
    private static let signals = [
        "SIGSEGV": SIGSEGV, "SIGBUS": SIGBUS, "SIGILL": SIGILL, "SIGABRT": SIGABRT, "SIGFPE": SIGFPE,
        "SIGTRAP": SIGTRAP,
    ]

    @Test func thereAreCrashers() {
        #expect(Crasher.all.count >= 15, "build them with `make libvakacrash crashers`")
    }

    @Test(arguments: Crasher.all)
    func leavesOneRecordWithTheReason(crasher: Crasher) throws {
        let signal = try #require(Self.signals[crasher.signal], "an unknown signal in crashers.def")
        let run = try CrashRun(crasher)
        #expect(run.status == .signalled(signal), "\(run.errors)")
        #expect(run.records.count == crasher.records)

        let event = try run.event()
        #expect(event.crashedThread != nil)
        let reason = try #require(event.reason)
        #expect(reason.signal == crasher.signal)
        #expect(reason.number == Int(signal))
        if let code = crasher.code { #expect(reason.code == code) }
        if let access = crasher.access { #expect(reason.access?.rawValue == access) }
        #expect(reason.kind?.rawValue == crasher.recognised)
        if let fault = crasher.fault { #expect(reason.faultAddress?.description == fault) }
        // What the debug information tells is not in the record.
        guard crasher.messageSource != "dwarf" else { return }
        if let exception = crasher.exception { #expect(reason.exception == exception) }
        if let message = crasher.message {
            #expect(reason.message?.contains(message) == true, "\(reason.message ?? "none")")
            #expect(reason.messageSource?.rawValue == crasher.messageSource)
        }
    }
}
