// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import TestSupport
import Testing

@Suite struct ELFIdentifierTests {
    @Test func aWholeProgramHasEverything() throws {
        let program = try SmallProgram()
        let identity = try program.identity()
        #expect(identity.buildID?.bytes.count == 20)
        #expect(identity.bits == 64)
        #expect(identity.fileType == .shared)
        #expect(identity.hasCode && identity.hasDebugInfo && identity.hasLineTable && identity.hasSymbolTable)
        #expect(identity.hasDynamicSymbols && identity.hasUnwindTable)
        #expect(identity.loadedSize > 0x1000)
        let notes = try CompiledProgram.tool("readelf", ["-n", program.path])
        #expect(notes.contains(identity.buildID?.description ?? "none"))
    }

    @Test func strippedAndCompanionShareTheBuildID() throws {
        let program = try SmallProgram()
        let debug = try program.split()
        let stripped = try program.identity()
        let companion = try program.identity(debug)
        #expect(stripped.buildID != nil && stripped.buildID == companion.buildID)
        #expect(stripped.hasCode && !stripped.hasDebugInfo && !stripped.hasSymbolTable && stripped.hasUnwindTable)
        #expect(!companion.hasCode && companion.hasDebugInfo && companion.hasSymbolTable && !companion.hasUnwindTable)
        #expect(stripped.debugLink == "prog.debug")
        #expect(stripped.firstLoadAddress == companion.firstLoadAddress)
        #expect(stripped.symbolRank == 1 && companion.symbolRank == 4)
    }

    @Test func nonPIEWithoutBuildID() throws {
        let identity = try SmallProgram(flags: ["-no-pie", "-Wl,--build-id=none"]).identity()
        #expect(identity.buildID == nil)
        #expect(identity.fileType == .executable)
        #expect(identity.firstLoadAddress == 0x400000)
        #expect(!identity.hasDebugInfo && identity.hasSymbolTable)
    }

    @Test func compressedDebugInformationCounts() throws {
        let identity = try SmallProgram(flags: ["-g", "-gz=zlib"]).identity()
        #expect(identity.hasDebugInfo)
        #expect(identity.unreadableSections.isEmpty)
    }

    @Test(arguments: [
        ("#!/bin/sh\n", DebugImageError.Code.notELF, "script"),
        ("", .notELF, "empty"),
        ("just some words\n", .notELF, "text"),
        ("\u{7F}ELF", .truncated, "header"),
    ])
    func otherFilesAreNamed(contents: String, code: DebugImageError.Code, word: String) throws {
        let folder = try TemporaryFolder()
        try Data(contents.utf8).write(to: URL(filePath: folder.path + "/file"))
        let error = #expect(throws: DebugImageError.self) { try ELFIdentifier.identify(path: folder.path + "/file") }
        #expect(error?.code == code)
        #expect(error?.message.contains(word) == true)
    }

    @Test func missingFilesAndFoldersAreUnreadable() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.path + "/nothing", "/dev/null"] {
            let error = #expect(throws: DebugImageError.self) { try ELFIdentifier.identify(path: path) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test func objectFilesAreIdentifiedAsSuch() throws {
        let program = try SmallProgram(flags: ["-c"])
        #expect(try program.identity().fileType == .relocatable)
        #expect(try program.identity().hasCode == false)
    }

    /// Every cut and every changed byte of the headers is answered, one way or the other.
    @Test func damageIsAnsweredWithoutHarm() throws {
        let program = try SmallProgram(flags: ["-g"])
        let whole = try Data(contentsOf: URL(filePath: program.path))
        let path = program.folder.path + "/damaged"
        var refused = 0
        for cut in stride(from: 0, to: whole.count, by: 397) {
            try whole.prefix(cut).write(to: URL(filePath: path))
            if (try? ELFIdentifier.identify(path: path)) == nil { refused += 1 }
        }
        #expect(refused == (whole.count + 396) / 397, "a cut file was taken for whole")
        var random = SeededRandom(seed: 7)
        let headers = Array(0..<900) + Array((whole.count - 2400)..<whole.count)
        for _ in 0..<600 {
            var copy = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                copy[headers.randomElement(using: &random) ?? 0] = UInt8.random(in: 0...255, using: &random)
            }
            try copy.write(to: URL(filePath: path))
            if let identity = try? ELFIdentifier.identify(path: path) {
                #expect(identity.fileSize == UInt64(whole.count))
            }
        }
    }
}
