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

    /// What its handlers would have left out is left out of what is collected, too.
    @Test(.enabled(if: CoreOfCrash.isKernels), arguments: [false, true]) func whatIsToBeLeftOutIs(_ isOn: Bool) throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "deaf",
            source: """
                #include <signal.h>
                #include <string.h>
                __attribute__((noinline)) static void crash(volatile char *text) { *(volatile int *)8 = text[0]; }
                int main(int count, char **names) {
                    volatile char text[64];
                    memset((char *)text, 0, sizeof(text));
                    /* Put together here, so that it is in no image. */
                    for (int i = 0; i < 40; i++) text[i] = "p-l-a-n-t-"[i * 2 % 10];
                    signal(SIGSEGV, SIG_DFL);
                    crash(text);
                    return text[count];
                }
                """, extension: "c", compiler: "gcc", flags: ["-O1", "-g"], in: folder)
        var environment = environment(folder)
        if isOn { environment["VAKA_MEMORY_POINTERS_ONLY"] = "1" }
        let core = try CoreOfCrash.make(program, environment: environment, in: folder)
        let collected = try Collected(folder.path + "/storage", core: core)
        let path = try #require(collected.records.first)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect((bytes.firstRange(of: Data("plantplant".utf8)) == nil) == isOn)
        let thread = try #require(try collected.event().crashedThread)
        #expect(thread.pointersOnly == (isOn ? true : nil) && thread.frames.count > 2)
        let places = [
            nil, thread.registers["rip"], thread.registers["pc"], thread.registers["rsp"], thread.registers["sp"],
        ]
        let others = Set(thread.registers.values.map(\.rawValue)).subtracting(places.map { $0?.rawValue ?? 0 })
        #expect(others.isEmpty == isOn && thread.frames.first?.trust == .context)
    }
}
