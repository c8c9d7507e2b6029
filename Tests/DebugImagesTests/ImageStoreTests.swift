// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import TestSupport
import Testing

@Suite struct ImageStoreTests {
    private let folder: TemporaryFolder
    private let store: ImageStore

    init() throws {
        folder = try TemporaryFolder()
        store = ImageStore(folder: folder.path + "/images")
    }

    @Test func aWholeFileServesAsBoth() throws {
        let program = try SmallProgram()
        let identity = try program.identity()
        let buildID = try #require(identity.buildID)
        #expect(try store.add(file: program.path, identity: identity, move: false) == .stored)
        #expect(try store.add(file: program.path, identity: identity, move: false) == .alreadyThere)
        let hex = buildID.description
        #expect(store.executable(buildID) == "\(store.folder)/\(hex.prefix(2))/\(hex.dropFirst(2))/executable")
        #expect(store.debugInfo(buildID) == "\(store.folder)/\(hex.prefix(2))/\(hex.dropFirst(2))/debuginfo")
        #expect(store.list().map(\.buildID) == [buildID])
        #expect(FileManager.default.fileExists(atPath: program.path))
    }

    @Test func aStrippedFileNeverReplacesAGoodOne() throws {
        let program = try SmallProgram()
        let whole = program.folder.path + "/whole"
        try FileManager.default.copyItem(atPath: program.path, toPath: whole)
        let debug = try program.split()
        #expect(try store.add(file: program.path, identity: program.identity(), move: false) == .stored)
        let buildID = try #require(try program.identity().buildID)
        #expect(store.debugInfo(buildID) == nil)
        #expect(try store.add(file: debug, identity: program.identity(debug), move: false) == .stored)
        #expect(store.debugInfo(buildID) != nil)
        #expect(try store.add(file: whole, identity: program.identity(whole), move: false) == .stored)
        #expect(try store.add(file: program.path, identity: program.identity(), move: true) == .poorerThanStored)
        #expect(!FileManager.default.fileExists(atPath: program.path), "a moved file is gone whatever the outcome")
        let stored = try #require(store.executable(buildID))
        #expect(try ELFIdentifier.identify(path: stored).hasDebugInfo)
    }

    /// It would name nothing, and keep the good file out.
    @Test func damagedDebugInformationIsRefused() throws {
        let program = try SmallProgram()
        let (noise, damaged) = (program.folder.path + "/noise", program.folder.path + "/damaged")
        try Data(repeating: 0xff, count: 500).write(to: URL(filePath: noise))
        try CompiledProgram.tool(
            "objcopy", ["--update-section", ".debug_info=\(noise)", program.path, damaged])
        let error = #expect(throws: DebugImageError.self) {
            try store.add(file: damaged, identity: program.identity(damaged), move: false)
        }
        #expect(error?.code == .malformed && error?.message.contains(".debug_info") == true)
        #expect(try store.add(file: program.path, identity: program.identity(), move: false) == .stored)
    }

    @Test func movingConsumesTheFile() throws {
        let program = try SmallProgram()
        #expect(try store.add(file: program.path, identity: program.identity(), move: true) == .stored)
        #expect(!FileManager.default.fileExists(atPath: program.path))
    }

    @Test func whatHasNoBuildIDIsRefusedWithTheCure() throws {
        let program = try SmallProgram(flags: ["-Wl,--build-id=none"])
        let error = #expect(throws: DebugImageError.self) {
            try store.add(file: program.path, identity: program.identity(), move: true)
        }
        #expect(error?.code == .noBuildID && error?.message.contains("--build-id") == true)
        #expect(FileManager.default.fileExists(atPath: program.path))
    }

    @Test func manyAtOnceLeaveOneWholeFile() async throws {
        let program = try SmallProgram()
        let identity = try program.identity()
        let outcomes = try await withThrowingTaskGroup(of: ImageStore.AddOutcome.self) { group in
            for _ in 0..<8 {
                group.addTask { [store] in try store.add(file: program.path, identity: identity, move: false) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .stored }.count == 1)
        let buildID = try #require(identity.buildID)
        let place = "images/\(buildID.description.prefix(2))/\(buildID.description.dropFirst(2))"
        #expect(folder.entries(place) == ["debuginfo", "executable"])
    }

    @Test func aStoreThatCannotBeWrittenSaysSo() throws {
        let program = try SmallProgram()
        let blocked = ImageStore(folder: program.path + "/images")
        let error = #expect(throws: DebugImageError.self) {
            try blocked.add(file: program.path, identity: program.identity(), move: false)
        }
        #expect(error?.code == .storage)
    }
}
