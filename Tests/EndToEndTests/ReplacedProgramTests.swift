// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import DebugImages
import FoundationEssentials
import Glibc
import Symbolication
import TestSupport
import Testing
import VakaModel

/// A program whose file is deleted or replaced while it runs, as updates do.
@Suite struct ReplacedProgramTests {
    /// Puts away its own file, or another in its place, and crashes.
    private static let source = """
        #include <stdio.h>
        #include <string.h>
        #include <unistd.h>
        static volatile int *volatile nothing;
        __attribute__((noinline)) static int work(int step) {
            return *nothing + step;
        }
        int main(int argc, char **argv) {
            int failed = strcmp(argv[1], "delete") == 0 ? unlink(argv[0]) : rename(argv[1], argv[0]);
            if (failed)
                return 3;
            return work(argc) + 1;
        }

        """

    /// A folder with the program, its copy, and another build of it.
    private struct Setup {
        let folder: TemporaryFolder
        let program: String
        let copy: String
        let otherBuild: String

        init() throws {
            folder = try TemporaryFolder()
            let flags = ["-g", "-O1", "-Wl,--build-id"]
            program = try CompiledProgram.build(
                "program", source: ReplacedProgramTests.source, extension: "c", compiler: "gcc", flags: flags,
                in: folder)
            otherBuild = try CompiledProgram.build(
                "other", source: "\n\n\n\n" + ReplacedProgramTests.source, extension: "c", compiler: "gcc",
                flags: flags + ["-fno-pie", "-no-pie"], in: folder)
            copy = folder.path + "/copy"
            try CompiledProgram.copy(program, to: copy)
        }

        func crash(_ argument: String) throws -> Event {
            let result = try ChildProcess.run(
                program, [argument],
                environment: ["VAKA_STORAGE": folder.path + "/s", "LD_PRELOAD": BuildProducts.preloadLibrary])
            #expect(result.status == .signalled(SIGSEGV), "\(result.errors)")
            let records = folder.entries("s/crashes")
            #expect(records.count == 1)
            let record = try CrashRecordFile(
                contentsOf: "\(folder.path)/s/crashes/\(try #require(records.first))")
            return record.event()
        }
    }

    private func image(_ event: Event) throws -> DebugImage {
        try #require(event.debugImages.first { $0.name == "program" }, "\(event.debugImages)")
    }

    /// Functions and lines by the copy, which is found by its build id.
    private func expectLines(_ event: Event, _ setup: Setup) throws {
        let finder = ImageFinder(symbolPaths: [setup.copy])
        let frames = try #require(Symbolicator(finder: finder).symbolicate(event).crashedThread).frames
        #expect(frames.prefix(2).map(\.function) == ["work", "main"])
        #expect(frames.prefix(2).map(\.line) == [6, 12])
    }

    @Test func aDeletedProgramIsMissing() throws {
        let setup = try Setup()
        let event = try setup.crash("delete")
        #expect(event.loss.isEmpty, "\(event.loss)")
        #expect(try image(event).codeFile == setup.program, "its path without the kernel's mark")
        let bare = Symbolicator(finder: ImageFinder()).symbolicate(event)
        #expect(try image(bare).status == .missing)
        let frames = try #require(bare.crashedThread).frames
        #expect(frames.prefix(2).map(\.status) == [.missingImage, .missingImage])
        #expect(frames.contains { $0.function?.contains("__libc_start") == true }, "the stack is whole all the same")
        try expectLines(event, setup)
    }

    @Test func anotherBuildInItsPlaceIsNotTaken() throws {
        let setup = try Setup()
        let event = try setup.crash(setup.otherBuild)
        #expect(try image(event).codeFile == setup.program)
        let bare = Symbolicator(finder: ImageFinder()).symbolicate(event)
        #expect(try image(bare).status == .mismatched)
        let frames = try #require(bare.crashedThread).frames
        #expect(frames.prefix(2).allSatisfy { $0.function == nil && $0.line == nil }, "no wrong names")
        #expect(frames.contains { $0.function?.contains("__libc_start") == true })
        try expectLines(event, setup)
    }

    @Test func theSameBuildInItsPlaceIsTaken() throws {
        let setup = try Setup()
        let twin = setup.folder.path + "/twin"
        try CompiledProgram.copy(setup.program, to: twin)
        let event = try setup.crash(twin)
        let frames = try #require(Symbolicator(finder: ImageFinder()).symbolicate(event).crashedThread).frames
        #expect(frames.prefix(2).map(\.function) == ["work", "main"])
        #expect(frames.prefix(2).map(\.line) == [6, 12])
    }
}
