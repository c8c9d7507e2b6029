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
        #expect(try store.add(file: program.path, move: false) == .stored)
        #expect(try store.add(file: program.path, move: false) == .alreadyThere)
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
        #expect(try store.add(file: program.path, move: false) == .stored)
        let buildID = try #require(try program.identity().buildID)
        #expect(store.debugInfo(buildID) == nil)
        #expect(try store.add(file: debug, move: false) == .stored)
        #expect(store.debugInfo(buildID) != nil)
        #expect(try store.add(file: whole, move: false) == .stored)
        #expect(try store.add(file: program.path, move: true) == .poorerThanStored)
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
            try store.add(file: damaged, move: false)
        }
        #expect(error?.code == .malformed && error?.message.contains(".debug_info") == true)
        #expect(try store.add(file: program.path, move: false) == .stored)
    }

    /// From the poorest to the best; each pair is added in both orders, and the better one must be there in the end.
    @Test func theBetterFileIsThereWhateverCameFirst() throws {
        let program = try SmallProgram()
        let files = try ladder(program)
        let buildID = try #require(try program.identity().buildID)
        for (index, poorer) in files.enumerated() {
            for better in files.dropFirst(index + 1) {
                for order in [[poorer, better], [better, poorer]] {
                    let store = ImageStore(folder: folder.path + "/\(UInt64.random(in: 0 ... .max))")
                    let outcomes = try order.map { try store.add(file: $0, move: false) }
                    #expect(outcomes == [.stored, order[0] == poorer ? .stored : .poorerThanStored], "\(order)")
                    let stored = try #require(store.executable(buildID) ?? store.debugInfo(buildID))
                    #expect(
                        FileManager.default.contentsEqual(atPath: stored, andPath: better), "\(order) left \(stored)")
                }
            }
        }
    }

    /// The same program with less and less to say.
    private func ladder(_ program: SmallProgram) throws -> [String] {
        func file(_ name: String) -> String { program.folder.path + "/" + name }
        try CompiledProgram.tool("strip", ["-o", file("stripped"), program.path])
        try ImageDamage.section(
            ".eh_frame", of: file("stripped"), to: file("no-frames"), filledWith: 0)
        try CompiledProgram.tool("strip", ["-g", "-o", file("symbols"), program.path])
        try ImageDamage.section(".debug_line", of: program.path, to: file("no-lines"), filledWith: 0xff)
        return [file("no-frames"), file("stripped"), file("symbols"), file("no-lines"), program.path]
    }

    @Test func companionAndExecutableAreBothKept() throws {
        for companionFirst in [true, false] {
            let program = try SmallProgram()
            let debug = try program.split()
            let store = ImageStore(folder: folder.path + "/\(companionFirst)")
            for path in companionFirst ? [debug, program.path] : [program.path, debug] {
                #expect(try store.add(file: path, move: false) == .stored)
            }
            let buildID = try #require(try program.identity().buildID)
            let (code, names) = (try #require(store.executable(buildID)), try #require(store.debugInfo(buildID)))
            #expect(FileManager.default.contentsEqual(atPath: code, andPath: program.path))
            #expect(FileManager.default.contentsEqual(atPath: names, andPath: debug))
        }
    }

    /// Two machines cannot share a build id: whichever is the forged one, reports of the other find theirs.
    @Test func filesForAnotherMachineAreSetAside() throws {
        for forgedFirst in [true, false] {
            let program = try SmallProgram()
            let buildID = try #require(try program.identity().buildID)
            let forged = program.folder.path + "/forged"
            let (own, other) = (try program.identity().machine, "other(8)")
            try ImageDamage.machine(of: program.path, to: forged, number: 8)
            let store = ImageStore(folder: folder.path + "/\(forgedFirst)")
            let (first, second) = forgedFirst ? (forged, program.path) : (program.path, forged)
            #expect(try store.add(file: first, move: false) == .stored)
            #expect(
                try store.add(file: second, move: false) == .storedAside(from: forgedFirst ? other : own))
            #expect(try store.add(file: second, move: false) == .alreadyThere)
            for (machine, path) in [(own, program.path), (other, forged)] {
                let stored = try #require(store.executable(buildID, machine: machine))
                #expect(FileManager.default.contentsEqual(atPath: stored, andPath: path))
            }
            #expect(store.debugInfo(buildID, machine: "arm64") == nil)
            let found = ImageFinder(stores: [store], useSystem: false).find(try program.image(), machine: own)
            #expect(FileManager.default.contentsEqual(atPath: found.debugPath ?? "", andPath: program.path))
        }
    }

    @Test func movingConsumesTheFile() throws {
        let program = try SmallProgram()
        #expect(try store.add(file: program.path, move: true) == .stored)
        #expect(!FileManager.default.fileExists(atPath: program.path))
    }

    @Test func whatHasNoBuildIDIsRefusedWithTheCure() throws {
        let program = try SmallProgram(flags: ["-Wl,--build-id=none"])
        let error = #expect(throws: DebugImageError.self) {
            try store.add(file: program.path, move: true)
        }
        #expect(error?.code == .noBuildID && error?.message.contains("--build-id") == true)
        #expect(FileManager.default.fileExists(atPath: program.path))
    }

    @Test func manyAtOnceLeaveOneWholeFile() async throws {
        let program = try SmallProgram()
        let identity = try program.identity()
        let outcomes = try await withThrowingTaskGroup(of: ImageStore.AddOutcome.self) { group in
            for _ in 0..<8 {
                group.addTask { [store] in try store.add(file: program.path, move: false) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .stored }.count == 1)
        let buildID = try #require(identity.buildID)
        let place = "images/\(buildID.description.prefix(2))/\(buildID.description.dropFirst(2))"
        #expect(folder.entries(place).filter { !$0.hasPrefix(".") } == ["debuginfo", "executable"])
    }

    @Test func aStoreThatCannotBeWrittenSaysSo() throws {
        let program = try SmallProgram()
        let blocked = ImageStore(folder: program.path + "/images")
        let error = #expect(throws: DebugImageError.self) {
            try blocked.add(file: program.path, move: false)
        }
        #expect(error?.code == .storage)
    }
}
