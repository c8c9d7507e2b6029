// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Testing

@testable import SourceBundles

/// Which files are read is up to whoever made the image: these are what it may ask for, and must not get.
@Suite struct SourceFoldersTests {
    private func read(_ folders: SourceFolders, _ path: String) -> SourceOmission? {
        switch folders.read(SourcePath.normalized(path)) {
        case .success: nil
        case .failure(let omission): omission.why
        }
    }

    @Test func whatLiesInTheFoldersIsRead() throws {
        let tree = try SourceTree(["src/a.c": "int a;\n"])
        let folders = SourceFolders(folders: [tree.path])
        #expect(try folders.read(tree.path + "/src/a.c").get().bytes == Array("int a;\n".utf8))
        #expect(read(folders, tree.path + "/obj/../src/a.c") == nil)
        #expect(read(folders, "src/a.c") == nil, "a relative path is sought below each folder")
        #expect(read(folders, tree.path + "/src/b.c") == .notFound)
    }

    @Test func whatLiesElsewhereIsNot() throws {
        let tree = try SourceTree(["src/a.c": "int a;\n", "secret/key.c": "int key;\n"])
        let folders = SourceFolders(folders: [tree.path + "/src"])
        #expect(read(folders, "/etc/shadow") == .notSource)
        #expect(read(folders, tree.path + "/secret/key.c") == .outside)
        #expect(read(folders, tree.path + "/src/../secret/key.c") == .outside)
        #expect(read(folders, "../secret/key.c") == .outside)
        #expect(read(folders, tree.path + "/secret/none.c") == .outside, "not even its absence is told")
        try tree.link("src/link.c", to: tree.path + "/secret/key.c")
        #expect(read(folders, tree.path + "/src/link.c") == .outside)
        try tree.link("src/folder", to: tree.path + "/secret")
        #expect(read(folders, tree.path + "/src/folder/key.c") == .outside)
        try tree.link("src/passwords.c", to: "/etc/passwd")
        #expect(read(folders, tree.path + "/src/passwords.c") == .outside)
    }

    /// A link within the folders must not give a name of source to what is none.
    @Test func aLinkToWhatIsNoSourceIsNotRead() throws {
        let tree = try SourceTree([".env": "TOKEN=1\n", "b.c": "int b;\n"])
        try tree.link("a.c", to: ".env")
        try tree.link("c.c", to: "b.c")
        let folders = SourceFolders(folders: [tree.path])
        #expect(read(folders, tree.path + "/a.c") == .notSource)
        #expect(read(folders, tree.path + "/c.c") == nil)
    }

    @Test func onlyRegularTextFilesOfBoundedSizeAreRead() throws {
        let tree = try SourceTree()
        let folders = SourceFolders(folders: [tree.path])
        #expect(mkfifo(tree.path + "/pipe.c", 0o600) == 0)
        #expect(read(folders, tree.path + "/pipe.c") == .notRegular)
        try FileManager.default.createDirectory(atPath: tree.path + "/folder.c", withIntermediateDirectories: false)
        #expect(read(folders, tree.path + "/folder.c") == .notRegular)
        try tree.write("binary.c", [0x7f, 0x45, 0, 1])
        #expect(read(folders, tree.path + "/binary.c") == .notText)
        try tree.write("large.c", [])
        #expect(truncate(tree.path + "/large.c", SourceBundleLimits.fileBytes + 1) == 0)
        #expect(read(folders, tree.path + "/large.c") == .tooLarge)
        try tree.write("empty.c", [])
        #expect(read(folders, tree.path + "/empty.c") == nil)
    }

    @Test func aMapLeadsToAFolderThatMayBeRead() throws {
        let tree = try SourceTree(["src/a.c": "int a;\n", "other.c": ""])
        let folders = SourceFolders(
            folders: [], maps: [SourceMap(from: "/build/app", to: tree.path + "/src")])
        #expect(read(folders, "/build/app/a.c") == nil)
        #expect(read(folders, "/build/app/../other.c") == .outside)
        #expect(read(folders, tree.path + "/other.c") == .outside)
        #expect(read(SourceFolders(folders: []), tree.path + "/other.c") == .outside)
    }

    @Test func theWorkTreeIsThatOfTheSameOwner() throws {
        let tree = try SourceTree(["inner/deep/a.c": "", ".git/HEAD": ""])
        #expect(SourceFolders.workTree(of: tree.path + "/inner/deep") == tree.path)
        let plain = try SourceTree(["inner/a.c": ""])
        #expect(SourceFolders.workTree(of: plain.path + "/inner") == plain.path + "/inner")
        guard getuid() == 0 else { return }
        // A folder that belongs to another user, below what seems to be a work tree of root's.
        #expect(chown(tree.path + "/inner/deep", 12345, 12345) == 0)
        #expect(SourceFolders.workTree(of: tree.path + "/inner/deep") == tree.path + "/inner/deep")
    }
}
