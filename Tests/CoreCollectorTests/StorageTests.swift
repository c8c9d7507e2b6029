// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Where records are put, and by whom they can be read.
@Suite struct StorageTests {
    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        return status.st_mode & 0o777
    }

    @Test func aRecordIsItsOwnersAlone() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("abort"), in: folder)
        let collected = try Collected(folder.path + "/a/storage", core: core)
        #expect(try mode(try #require(collected.records.first)) == 0o600)
        #expect(try mode(folder.path + "/a/storage") == 0o700)
        // Nothing else is left.
        #expect(folder.entries("a/storage/crashes").count == 1)
    }

    /// So that who sends it may remove it.
    @Test(.enabled(if: geteuid() == 0)) func aRecordBelongsToTheOwnerOfTheFolder() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("abort"), in: folder)
        let storage = folder.path + "/storage"
        try FileManager.default.createDirectory(atPath: storage + "/crashes", withIntermediateDirectories: true)
        chown(storage + "/crashes", 4711, 4712)
        let collected = try Collected(storage, core: core)
        var status = stat()
        #expect(stat(try #require(collected.records.first), &status) == 0)
        #expect(status.st_uid == 4711 && status.st_gid == 4712)
    }

    @Test func theSameCoreIsOneRecord() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("abort"), in: folder)
        let storage = folder.path + "/storage"
        #expect(try Collected(storage, core: core).status == .exited(0))
        let again = try Collected(storage, core: core)
        #expect(again.status == .exited(0) && again.records.count == 1)
        #expect(again.errors.contains("is of this core already"), "\(again.errors)")
    }

    @Test func aFullFolderTakesNoMore() throws {
        let folder = try TemporaryFolder()
        let first = try CoreOfCrash.make(BuildProducts.crasher("abort"), in: folder)
        let storage = folder.path + "/storage"
        #expect(try Collected(storage, core: first, ["--max-records", "1"]).status == .exited(0))
        let second = try Collected(storage, core: first, ["--max-records", "1"])
        #expect(second.status == .exited(1) && second.records.count == 1)
        #expect(second.errors.contains("vaka submit"), "\(second.errors)")
    }

    /// The folder may be another user's, who must not choose where the superuser writes.
    @Test func aSymbolicLinkIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("abort"), in: folder)
        for part in ["storage", "elsewhere"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + part, withIntermediateDirectories: true)
        }
        symlink(folder.path + "/elsewhere", folder.path + "/storage/crashes")
        let collected = try Collected(folder.path + "/storage", core: core)
        #expect(collected.status == .exited(1))
        #expect(folder.entries("elsewhere") == [])
    }

    @Test func aFolderThatCannotBeIsAnError() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("abort"), in: folder)
        try Data().write(to: URL(filePath: folder.path + "/file"))
        let collected = try Collected(folder.path + "/file/storage", core: core)
        #expect(collected.status == .exited(1))
        #expect(collected.errors.contains(folder.path), "\(collected.errors)")
    }

    /// What does not fit is said: in the record where there is room for that.
    @Test func aDiskThatIsFullCostsMemoryOfTheCore() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("double-free"), in: folder)
        let limited = try ChildProcess.run(
            "/bin/sh",
            [
                "-c", "ulimit -f 40; exec \"$0\" collect --storage \"$1\" < \"$2\"", BuildProducts.executable("vaka"),
                folder.path + "/limited", core,
            ])
        #expect(limited.status == .exited(0), "\(limited.errors)")
        let inspected = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["symbolicate", folder.path + "/limited/crashes/" + (folder.entries("limited/crashes").first ?? "")])
        #expect(inspected.output.contains("it could not be kept: File too large"), "\(inspected.output)")
    }

    @Test(arguments: [[], ["--storage"], ["--storage", "/tmp/x", "core"], ["--storage", "/tmp/x", "--pid", "one"]])
    func wrongUsageIsStatusTwo(arguments: [String]) throws {
        let result = try ChildProcess.run(BuildProducts.executable("vaka"), ["collect"] + arguments)
        #expect(result.status == .exited(2) && result.errors.hasPrefix("vaka: "), "\(arguments)")
    }
}
