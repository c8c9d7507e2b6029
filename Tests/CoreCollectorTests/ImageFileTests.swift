// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Images whose files are gone or are others by the time that the core is read.
@Suite(.enabled(if: CoreOfCrash.isKernels)) struct ImageFileTests {
    /// A crasher of its own, so that it can be taken away, with everything that is mapped in its core.
    private func core(everything: Bool, in folder: TemporaryFolder) throws -> (core: String, program: String) {
        let program = folder.path + "/program"
        // By another process: one that a test starts at this moment must not inherit it open for writing.
        try CompiledProgram.copy(BuildProducts.crasher("null-read"), to: program)
        let script = "echo \(everything ? "0x3f" : "0x33") > /proc/self/coredump_filter; exec \(program)"
        return (try CoreOfCrash.make("/bin/sh", ["-c", script], in: folder), program)
    }

    private func frames(_ event: Event) -> [String] {
        event.crashedThread?.frames.map { "\($0.module ?? "-") \($0.trust.rawValue)" } ?? []
    }

    private static let whole = ["program context"] + Array(repeating: "program cfi", count: 2)

    @Test func aCoreWithEverythingInItNeedsNoFiles() throws {
        let folder = try TemporaryFolder()
        let (core, program) = try core(everything: true, in: folder)
        unlink(program)
        let event = try Collected(folder.path + "/storage", core: core).event()
        #expect(Array(frames(event).prefix(3)) == Self.whole)
        #expect(event.crashedThread?.framesTruncated == false)
        #expect(!event.loss.contains { $0.what.contains("call frame information") })
        #expect(event.debugImages.contains { $0.codeFile == program && $0.buildID != nil })
    }

    @Test func aFileThatWasReplacedIsNotTaken() throws {
        let folder = try TemporaryFolder()
        let (core, program) = try core(everything: false, in: folder)
        unlink(program)
        try CompiledProgram.copy(BuildProducts.crasher("inlining"), to: program)
        let event = try Collected(folder.path + "/storage", core: core).event()
        #expect(frames(event).prefix(2).allSatisfy { !$0.hasSuffix(" cfi") }, "\(frames(event))")
        #expect(event.loss.contains { $0.what == "call frame information of 1 image" }, "\(event.loss)")
    }

    /// The header of an image tells its build id; without it the file at its path is taken where its size is right, and
    /// it is not said to be the same.
    @Test func headersThatWereNotDumped() throws {
        let folder = try TemporaryFolder()
        let program = BuildProducts.crasher("null-read")
        let core = try CoreOfCrash.make(
            "/bin/sh", ["-c", "echo 0x23 > /proc/self/coredump_filter; exec \(program)"], in: folder)
        let event = try Collected(folder.path + "/storage", core: core).event()
        let image = try #require(event.debugImages.first { $0.codeFile == program })
        #expect(image.buildID == nil)
        #expect(event.crashedThread?.frames.count ?? 0 > 3, "\(frames(event))")
    }
}
