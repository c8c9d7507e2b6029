// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

/// Programs that have handlers of ours, and whose core is collected besides.
@Suite struct InstrumentedTests {
    private func environment(_ folder: TemporaryFolder) -> [String: String?] {
        [
            "LD_PRELOAD": BuildProducts.preloadLibrary, "VAKA_STORAGE": folder.path + "/own",
            "VAKA_RELEASE": "shop@1.2", "VAKA_ENVIRONMENT": "staging",
        ]
    }

    @Test(.enabled(if: CoreOfCrash.isKernels)) func aCrashThatWasCaughtIsNotDoubled() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(
            BuildProducts.crasher("null-write"), environment: environment(folder), in: folder)
        let caught = try #require(folder.entries("own/crashes").first)
        let collected = try Collected(folder.path + "/storage", core: core)
        #expect(collected.status == .exited(0) && collected.records.isEmpty)
        #expect(collected.errors.contains(caught.prefix(32)), "\(collected.errors)")
    }

    /// What it told of itself is taken along, and the record has the id that its own would have had.
    @Test(.enabled(if: CoreOfCrash.isKernels)) func aCrashThatTheHandlersMissedHasTheRunsContext() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "deaf",
            source: """
                #include <signal.h>
                int main(void) { signal(SIGSEGV, SIG_DFL); *(volatile int *)8 = 1; }
                """, extension: "c", compiler: "gcc", flags: ["-O1"], in: folder)
        let core = try CoreOfCrash.make(program, environment: environment(folder), in: folder)
        #expect(folder.entries("own/crashes") == [])
        let event = try Collected(folder.path + "/storage", core: core).event()
        #expect(event.release == "shop@1.2" && event.environment == "staging")
        #expect(event.contexts["os"]?.object?.isEmpty == false)
        #expect(!event.loss.contains { $0.what.contains("breadcrumb") }, "\(event.loss)")
        #expect(event.reason?.signal == "SIGSEGV" && event.crashedThread?.frames.count ?? 0 > 2)
    }
}
