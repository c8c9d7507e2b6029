// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// The debug images: those of the start, those loaded and unloaded since.
@Suite struct ImageTests {
    @Test func imagesOfTheStart() throws {
        let program = try TestPrograms.plain()
        let images = try Captured.preloaded(program, ["null-write"]).record().event().debugImages
        let own = try #require(images.first)
        #expect(own.codeFile == program)
        let notes = try CompiledProgram.tool("readelf", ["-n", program])
        #expect(notes.contains("Build ID: \(own.buildID.map { "\($0)" } ?? "none")"))
        #expect(images.contains { $0.codeFile?.hasSuffix("/libc.so.6") == true && $0.buildID != nil })
        #expect(images.contains { $0.codeFile == "linux-vdso.so.1" })
        for image in images { #expect(image.imageSize > 0) }
    }

    @Test func frameIsInTheProgram() throws {
        let event = try Captured.preloaded(try TestPrograms.plain(), ["null-write"]).record().event()
        let frame = try #require(event.threads.first?.frames.first)
        #expect(frame.module == "plain")
        #expect(frame.relativeAddress != nil)
    }

    @Test func libraryLoadedLater() throws {
        let library = try TestPrograms.library()
        let event = try Captured.host("load", library).record().event()
        let image = try #require(event.debugImages.first { $0.codeFile == library })
        let notes = try CompiledProgram.tool("readelf", ["-n", library])
        #expect(notes.contains("Build ID: \(image.buildID.map { "\($0)" } ?? "none")"))
        let thread = try #require(event.threads.first)
        #expect(thread.frames.first?.module == "library")
        #expect(thread.frames.dropFirst().allSatisfy { $0.trust == .cfi } && !thread.framesTruncated)
        #expect(event.loss.isEmpty)
    }

    @Test func libraryUnloaded() throws {
        let library = try TestPrograms.library()
        let event = try Captured.host("unload", library).record().event()
        #expect(!event.debugImages.contains { $0.codeFile == library })
        #expect(event.debugImages.count >= 4)
    }

    @Test func staticProgram() throws {
        let output = try TestPrograms.staticHost()
        let storage = try TemporaryFolder()
        let result = try ChildProcess.run(output, [storage.path, "tell"])
        let captured = Captured(result: result, storage: storage)
        #expect(result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.debugImages.first?.codeFile == output)
        let thread = try #require(event.threads.first)
        #expect(thread.frames.dropFirst().allSatisfy { $0.trust == .cfi } && !thread.framesTruncated)
        #expect(event.tags == ["colour": "blue"])
    }
}
