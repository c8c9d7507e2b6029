// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import SourceBundles
import TestSupport
import Testing
import VakaModel

@Suite struct SourceBundleTests {
    @Test func aBundleHoldsWhatItsManifestSays() throws {
        let tree = try SourceTree(["a.c": "int a;\n", "sub/b.swift": "let b = 1\n", "sub/c.c": "int a;\n"])
        let sources = ["sub/b.swift", "a.c", "sub/c.c", "gone.c", "/etc/hostname"].map { tree.reference($0) }
        let made = try tree.bundle(sources)
        let bundle = try SourceBundle(path: tree.folder.path + "/b.sources.zip")
        #expect(bundle.manifest == made)
        #expect(bundle.buildID == SourceTree.buildID)
        #expect(made.files.map(\.path) == ["/a.c", "/sub/b.swift", "/sub/c.c"].map { tree.path + $0 })
        #expect(made.files.allSatisfy { $0.compilationFolder == tree.path && !$0.verified })
        #expect(made.missing.count == 2)
        #expect(made.missing.files.map(\.why) == [.notSource, .notFound])
        let file = try #require(bundle.file(tree.path + "/sub/b.swift"))
        #expect(try bundle.contents(file) == Array("let b = 1\n".utf8))
        #expect(file.size == 10)
        #expect(bundle.file(tree.path + "/gone.c") == nil)
        try bundle.checkContents()
    }

    /// The digests are those of other tools.
    @Test func digestsAreThoseOfCoreutils() throws {
        let tree = try SourceTree(["a.c": "int main(void) { return 0; }\n"])
        let file = try #require(try tree.bundle([tree.reference("a.c")]).files.first)
        for (tool, digest) in [("sha256sum", file.sha256), ("md5sum", file.md5)] {
            #expect(try ChildProcess.run(tool, [tree.path + "/a.c"]).output.hasPrefix(digest + " "))
        }
    }

    @Test func equalSourcesGiveEqualBytes() throws {
        let tree = try SourceTree(["a.c": "int a;\n", "b.c": String(repeating: "int b;\n", count: 1000)])
        let sources = ["b.c", "a.c", "gone.c"].map { tree.reference($0) }
        _ = try tree.bundle(sources, to: "one.sources.zip")
        utimensat(AT_FDCWD, tree.path + "/a.c", [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)], 0)
        _ = try tree.bundle(sources.reversed(), to: "two.sources.zip")
        let bytes = try ["one", "two"].map {
            try Data(contentsOf: URL(filePath: tree.folder.path + "/\($0).sources.zip"))
        }
        #expect(bytes[0] == bytes[1])
        // Other tools read it.
        let list = try ChildProcess.run("python3", ["-m", "zipfile", "-t", tree.folder.path + "/one.sources.zip"])
        #expect(list.status == .exited(0), "\(list.errors)")
    }

    @Test func changedFilesAreLeftOut() throws {
        let tree = try SourceTree(["a.c": "int a;\n", "b.c": "int b;\n", "c.c": "int c;\n"])
        let right = Digest.md5(Array("int a;\n".utf8))
        let made = try tree.bundle(
            [
                tree.reference("a.c", checksum: right), tree.reference("b.c", checksum: right), tree.reference("c.c"),
            ], builtAt: 1)
        #expect(made.files.map(\.path) == [tree.path + "/a.c"])
        #expect(made.files.map(\.verified) == [true])
        #expect(made.missing.files.map(\.why) == [.changed, .changed], "by its checksum, and by its time")
        let later = try tree.bundle([tree.reference("c.c")], builtAt: Int(time(nil)) + 10)
        #expect(later.files.map(\.verified) == [false])
    }

    @Test func aRicherBundleReplacesAPoorerOneAndNeverTheOtherWayRound() throws {
        let tree = try SourceTree(["a.c": "int a;\n", "b.c": "int b;\n"])
        let store = SourceBundleStore(folder: tree.folder.path + "/store")
        func add(_ names: [String]) throws -> SourceBundleStore.AddOutcome {
            _ = try tree.bundle(names.map { tree.reference($0) })
            defer { #expect(!FileManager.default.fileExists(atPath: tree.folder.path + "/b.sources.zip")) }
            return try store.add(SourceBundle(path: tree.folder.path + "/b.sources.zip"))
        }
        #expect(store.path(SourceTree.buildID) == nil)
        #expect(try add(["a.c"]) == .stored)
        #expect(try add(["a.c"]) == .alreadyThere)
        #expect(try add(["a.c", "b.c"]) == .stored)
        #expect(try add(["b.c"]) == .poorerThanStored)
        let stored = try SourceBundle(path: try #require(store.path(SourceTree.buildID)))
        #expect(stored.manifest.files.count == 2)
    }

    @Test func bundlesAreFoundInFolders() throws {
        let tree = try SourceTree(["a.c": "int a;\n", "deep/er/x.sources.zip": "no zip"])
        let finder = SourceBundleFinder(symbolPaths: [tree.folder.path])
        #expect(finder.path(SourceTree.buildID) == nil)
        #expect(finder.problem()?.path.hasSuffix("deep/er/x.sources.zip") == true)
        _ = try tree.bundle([tree.reference("a.c")], to: "deep/er/y.sources.zip")
        let after = SourceBundleFinder(symbolPaths: [tree.folder.path])
        #expect(after.path(SourceTree.buildID)?.hasSuffix("/deep/er/y.sources.zip") == true)
    }
}
