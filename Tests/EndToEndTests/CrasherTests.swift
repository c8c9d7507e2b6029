// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import VakaModel

/// Each declared program: how it ends, how many records it leaves, and what the record says of the reason.
@Suite struct CrasherTests {
    @Test func thereAreCrashers() {
        #expect(Crasher.all.count >= 15, "build them with `make libvakacrash crashers`")
    }

    @Test(arguments: Crasher.all)
    func endsAsItWouldWithoutUs(crasher: Crasher) throws {
        let run = try CrashRun.shared(crasher)
        #expect(run.status == (try crasher.expectedStatus()), "\(run.errors)")
        #expect(run.records.count == crasher.records)
        guard !crasher.linked else { return }
        #expect(run.status == (try CrashRun.finish(crasher).status))
    }

    @Test(arguments: Crasher.reported)
    func recordHasTheReason(crasher: Crasher) throws {
        let event = try CrashRun.shared(crasher).event()
        #expect(event.crashedThread != nil)
        let reason = try #require(event.reason)
        #expect(reason.signal == crasher.signal)
        #expect(reason.number == (try crasher.signalNumber()).map(Int.init))
        if let code = crasher.code { #expect(reason.code == code) }
        if let access = crasher.access { #expect(reason.access?.rawValue == access) }
        #expect(reason.kind?.rawValue == crasher.recognised)
        if let fault = crasher.fault { #expect(reason.faultAddress?.description == fault) }
        if crasher.sender == nil { #expect(reason.senderPID == nil) } else { checkSender(reason, in: event) }
        // What the debug information tells is not in the record.
        guard crasher.messageSource != "dwarf" else { return }
        #expect(reason.exception == crasher.exception)
        #expect(reason.message?.contains(crasher.message ?? "?") == (crasher.message == nil ? nil : true))
        #expect(reason.messageSource?.rawValue == crasher.messageSource)
    }

    @Test(arguments: Crasher.reported)
    func recordLacksWhatIsDeclaredAndNothingElse(crasher: Crasher) throws {
        // On a machine that is busy a thread may answer late, and the handler may come to its bounds of time.
        let late = ["registers of ", "what stage ", "what follows in stage "]
        let lacking = try CrashRun.shared(crasher).event().loss.filter { loss in
            crasher.loss.contains(loss.what) || !late.contains { loss.what.hasPrefix($0) }
        }
        #expect(lacking.map(\.what) == crasher.loss, "\(lacking)")
    }

    private func checkSender(_ reason: Reason, in event: Event) {
        guard case .integer(let own)? = event.contexts["process"]?["pid"], let sender = reason.senderPID else {
            Issue.record("no process or no sender: \(event.contexts), \(reason)")
            return
        }
        #expect(sender != Int(own))
    }
}
