// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Programs whose rights change: set-user-id ones, and those that give their rights up.
@Suite(.enabled(if: Machine.mayBecomeAnother)) struct PrivilegeTests {
    /// A copy of a program that runs with root's rights, in a folder that everybody may look into.
    private func setUserID(_ program: String, in folder: TemporaryFolder) throws -> String {
        let copy = folder.path + "/program"
        try CompiledProgram.copy(program, to: copy)
        guard chmod(folder.path, 0o755) == 0, chmod(copy, 0o4755) == 0 else {
            throw Captured.Unexpected(description: "chmod: \(errno)")
        }
        return copy
    }

    private func runAsNobody(_ command: [String], _ variables: [String: String?]) throws -> ChildProcess.Result {
        let words = variables.compactMap { entry in entry.value.map { "\(entry.key)=\($0)" } }
        return try ChildProcess.run(
            "setpriv", ["--reuid", "65534", "--regid", "65534", "--clear-groups", "env"] + words + command)
    }

    /// Whoever starts a set-user-id program must not choose where it writes to.
    @Test(arguments: ["preloaded", "linked"]) func environmentIsIgnoredWithForeignRights(_ how: String) throws {
        let folder = try TemporaryFolder()
        let library = try CaptureLibrary.shared()
        let program =
            how == "preloaded"
            ? try TestPrograms.plain()
            : try CompiledProgram.build(
                "linked", source: "int main(void) { *(volatile int *)8 = 1; }\n", extension: "c", compiler: "gcc",
                flags: ["-Wl,--no-as-needed", library, "-Wl,-rpath," + library.dropLast("/libvakacrash.so".count)],
                in: folder)
        let storage = folder.path + "/storage"
        let variables: [String: String?] = [
            "VAKA_STORAGE": storage, "LD_PRELOAD": how == "preloaded" ? library : nil,
        ]
        let result = try runAsNobody([try setUserID(program, in: folder), "null-write"], variables)
        #expect(result.status == .signalled(SIGSEGV))
        #expect(!folder.entries().contains("storage"))
        // Without foreign rights the same program does leave a record.
        let own = try ChildProcess.run(program, ["null-write"], environment: variables)
        #expect(own.status == .signalled(SIGSEGV))
        #expect(folder.entries("storage/crashes").count == 1)
    }

    /// The record is whole. It stays where it was begun until the next launch, where its folder is not the user's.
    @Test func rightsGivenUpAfterInstall() throws {
        let storage = try TemporaryFolder()
        let result = try ChildProcess.run(try TestPrograms.host(), [storage.path, "drop-rights"])
        #expect(result.status == .signalled(SIGSEGV))
        #expect(storage.entries("crashes").isEmpty)
        #expect(try Captured.host("ignored", storage: storage).result.status == .exited(0))
        let name = try #require(storage.entries("crashes").first)
        let record = try CrashRecordFile(contentsOf: storage.path + "/crashes/" + name)
        #expect(record.isWhole)
        try expectWhole(record.event())
    }

    @Test func rootChangedAfterInstall() throws {
        let root = try TemporaryFolder()
        let captured = try Captured.host("chroot", root.path)
        #expect(captured.result.status == .signalled(SIGSEGV))
        try expectWhole(try captured.record().event())
        #expect(root.entries().isEmpty)
    }

    private func expectWhole(_ event: Event) throws {
        #expect(event.reason?.signal == "SIGSEGV")
        #expect(event.reason?.faultAddress == HexAddress(8))
        #expect(event.threads.map(\.name) == ["host", "waiting"])
        #expect(event.threads.allSatisfy { $0.frames.count > 2 && $0.stack != nil })
        #expect(event.loss.isEmpty, "\(event.loss)")
    }
}
