// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Symbolication
import TestSupport
import Testing
import VakaModel

/// Frames that are in no function of a compiler's: stubs, the kernel's library, a signal's trampoline.
@Suite struct SpecialFramesTests {
    private func frames(_ name: String) throws -> [Frame] {
        let crasher = try #require(Crasher.all.first { $0.name == name })
        let event = Symbolicator(finder: ImageFinder()).symbolicate(try CrashRun.shared(crasher).event())
        #expect(event.loss.isEmpty, "\(event.loss)")
        return try #require(event.crashedThread).frames
    }

    @Test func aLinkageStubHasTheNameOfWhatItLeadsTo() throws {
        let frames = try frames("linkage-stub")
        #expect(frames.prefix(2).map(\.function) == ["puts@plt", "greet"])
        #expect(frames[0].status == .noDebugInfo && frames[0].file == nil && frames[0].inApp == true)
        #expect(frames[1].line != nil)
    }

    /// The crash was on this machine, so that its kernel's library is the one that is mapped here.
    @Test func theKernelsLibraryIsNamed() throws {
        let frames = try frames("virtual-library")
        #expect(["time", "__vdso_time"].contains(frames[0].function), "\(frames[0])")
        #expect(frames[0].status == .noDebugInfo && frames[0].inApp == false)
        #expect(frames[0].module?.contains("vdso") == true)
        #expect(frames[1].function == "tell_time")
    }

    @Test func behindATrampolineIsWhatTheSignalInterrupted() throws {
        let frames = try frames("signal-handler")
        let trampoline = try #require(frames.firstIndex { $0.function == "__restore_rt" })
        #expect(frames[..<trampoline].map(\.function) == ["reload_settings", "on_reload"])
        #expect(frames[trampoline].inApp == false && !frames[trampoline].notes.contains(Frame.interrupted))
        let interrupted = try #require(frames.dropFirst(trampoline + 1).first { !$0.inlined })
        #expect(interrupted.notes.contains(Frame.interrupted))
        #expect(
            frames.filter { $0.notes.contains(Frame.interrupted) }.allSatisfy {
                $0.instructionAddress == interrupted.instructionAddress
            })
        let own = frames.dropFirst(trampoline).filter { $0.inApp == true }.map(\.function)
        #expect(own == ["work", "main"])
    }

    @Test func theDynamicLinkerStandsBetweenCallAndFunction() throws {
        let names = try frames("dynamic-linker").filter { !$0.inlined }.map { $0.function ?? "?" }
        #expect(names.starts(with: ["_dl_fixup"]) && names[1].hasPrefix("_dl_runtime_resolve"), "\(names)")
        #expect(names.contains("look_up"))
    }
}
