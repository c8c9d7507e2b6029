// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@Suite struct ImageFinderTests {
    @Test func theRecordedPathWithItsBuildID() throws {
        let program = try SmallProgram()
        let found = ImageFinder().find(try program.image())
        #expect(found.status == .found)
        #expect(found.codePath == program.path && found.debugPath == program.path)
        #expect(found.source == "file at its path")
        #expect(found.detail == nil)
    }

    @Test func withoutTheSystemNothingIsFound() throws {
        let program = try SmallProgram()
        let found = ImageFinder(useSystem: false).find(try program.image())
        #expect(found.status == .missing)
        #expect(found.codePath == nil && found.detail?.contains("no file for prog") == true)
    }

    @Test func aReplacedFileIsAMismatch() throws {
        let program = try SmallProgram()
        let image = try program.image()
        let other = try SmallProgram(flags: ["-O0"])
        try FileManager.default.removeItem(atPath: program.path)
        try FileManager.default.copyItem(atPath: other.path, toPath: program.path)
        let found = ImageFinder().find(image)
        #expect(found.status == .mismatched)
        #expect(found.detail?.contains("replaced") == true)
    }

    @Test func aDamagedFileIsMalformed() throws {
        let program = try SmallProgram()
        let image = try program.image()
        let whole = try Data(contentsOf: URL(filePath: program.path))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: program.path))
        let found = ImageFinder().find(image)
        #expect(found.status == .malformed)
        #expect(found.detail?.contains("whole") == true)
    }

    @Test func theDebugLinkBesideTheFile() throws {
        let program = try SmallProgram()
        let debug = try program.split()
        let found = ImageFinder().find(try program.image())
        #expect(found.codePath == program.path && found.debugPath == debug)
    }

    @Test func theDebugLinkWithoutBuildIDIsProvedByChecksum() throws {
        let program = try SmallProgram(flags: ["-g", "-Wl,--build-id=none"])
        let debug = try program.split()
        let image = try program.image()
        let found = ImageFinder().find(image)
        #expect(found.status == .found && found.debugPath == debug)
        #expect(found.detail?.contains("no build id") == true)
        let handle = try #require(FileHandle(forUpdating: debug))
        handle.corrupt()
        #expect(ImageFinder().find(image).debugPath == program.path)
    }

    @Test func foldersAreSearchedByBuildID() throws {
        let program = try SmallProgram()
        let image = try program.image(codeFile: "/app/prog")
        let debug = try program.split(link: false)
        let symbols = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: symbols.path + "/a/b", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: symbols.path + "/a/loop", withDestinationPath: symbols.path)
        try FileManager.default.moveItem(atPath: debug, toPath: symbols.path + "/a/b/any-name")
        let finder = ImageFinder(symbolPaths: [symbols.path, program.path], useSystem: false)
        let found = finder.find(image)
        #expect(found.status == .found)
        #expect(found.debugPath == symbols.path + "/a/b/any-name")
        #expect(found.codePath == program.path)
        #expect(found.source == "symbols folder \(symbols.path); symbols file \(program.path)")
    }

    @Test func aNamedPathThatIsNotThereIsSaid() throws {
        let finder = ImageFinder(symbolPaths: ["/nowhere/at/all"], useSystem: false)
        #expect(finder.problems().first?.message.contains("does not exist") == true)
    }

    @Test func noBuildIDAndAnotherSizeIsAMismatch() throws {
        let program = try SmallProgram(flags: ["-Wl,--build-id=none"])
        var image = try program.image()
        image.imageSize += 0x10000
        #expect(ImageFinder().find(image).status == .mismatched)
    }

    @Test func theStoreIsUsed() throws {
        let program = try SmallProgram()
        let image = try program.image(codeFile: "/gone/prog")
        let folder = try TemporaryFolder()
        let store = ImageStore(folder: folder.path)
        _ = try store.add(file: program.path, move: false)
        let found = ImageFinder(stores: [store], useSystem: false).find(image)
        #expect(found.status == .found && found.source == "image store")
        #expect(found.codePath?.hasPrefix(folder.path) == true && found.debugPath?.hasPrefix(folder.path) == true)
    }

    @Test func filesForAnotherMachineAreNotTaken() throws {
        let program = try SmallProgram()
        let image = try program.image()
        let finder = ImageFinder()
        #expect(finder.find(image, machine: try program.identity().machine).status == .found)
        let found = finder.find(image, machine: "other(8)")
        #expect(found.status == .mismatched && found.detail?.contains("not other(8)") == true, "\(found)")
    }
}

/// Changes one byte of a file in place.
private struct FileHandle {
    let path: String

    init?(forUpdating path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        self.path = path
    }

    func corrupt() {
        guard var data = try? Data(contentsOf: URL(filePath: path)), let last = data.indices.last else { return }
        data[last] ^= 0xFF
        try? data.write(to: URL(filePath: path))
    }
}
