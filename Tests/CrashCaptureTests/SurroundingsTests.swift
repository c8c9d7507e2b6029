// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// Hosts that allow little: no descriptors, no space, no process_vm_readv, no stack.
@Suite struct SurroundingsTests {
    @Test(arguments: ["no-descriptors", "closed-descriptors"]) func descriptors(_ way: String) throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), [way])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().loss.isEmpty)
    }

    @Test(
        arguments: [
            ("refused-eperm", "Operation not permitted"), ("refused-enosys", "Function not implemented"),
            ("trapped-reader", "Function not implemented"),
        ])
    func refusedReaderFallsBackToThePipe(_ way: String, _ error: String) throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), [way])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let event = try captured.record().event()
        #expect(event.loss.map(\.why) == ["process_vm_readv was refused (\(error)): a pipe was used"])
        #expect((event.threads.first?.stack?.data.count ?? 0) > 1024)
        #expect((event.threads.first?.frames.count ?? 0) > 1)
        #expect(event.debugImages.count >= 4)
    }

    @Test func stackOverflowOnTheMainThread() throws {
        let captured = try Captured.preloaded(try TestPrograms.plain(), ["overflow"])
        #expect(captured.result.status == .signalled(SIGSEGV))
        let thread = try #require(try captured.record().event().threads.first)
        #expect(thread.frames.count == 256)
        #expect(thread.framesTruncated)
        #expect(thread.stack?.data.count == 65536)
    }

    @Test(arguments: ["0", "64", "4096", "20000", "100000", "1000000"]) func limitedFileSize(_ bytes: String) throws {
        for way in ["limited", "limited-later"] {
            let captured = try Captured.host(way, bytes)
            #expect(captured.result.status == .signalled(SIGSEGV), "\(way): not SIGXFSZ, not SIGBUS")
            if let limit = Int(bytes), limit >= 20000 {
                let record = try captured.record()
                #expect(record.isWhole)
                #expect(record.event().reason?.signal == "SIGSEGV")
            }
        }
    }

    @Test(.enabled(if: Self.canMount), arguments: ["16k", "300k", "2m"]) func fullDisk(_ size: String) throws {
        let folder = try TemporaryFolder()
        let script = """
            mount -t tmpfs -o size=\(size) none \(folder.path) || exit 9
            \(try TestPrograms.host()) \(folder.path)/storage tell
            status=$?
            cat \(folder.path)/storage/crashes/*
            exit $status
            """
        let result = try ChildProcess.run("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script])
        #expect(result.status == .exited(128 + SIGSEGV))
        let record = try CrashRecordFile(bytes: Array(result.outputData))
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.tags == ["colour": "blue"])
        #expect(event.loss.contains { $0.what == "the record's allocated file" } == (size != "2m"))
        #expect(event.loss.contains { $0.what == "the run file" } == (size == "16k"))
    }

    @Test(.enabled(if: Self.canMount)) func firstProcessOfANamespace() throws {
        for (way, signal) in [("null-write", SIGSEGV), ("abort", SIGABRT)] {
            let storage = try TemporaryFolder()
            let result = try ChildProcess.run(
                "unshare",
                ["--user", "--map-root-user", "--pid", "--fork", try TestPrograms.host(), storage.path, way])
            #expect([.exited(128 + signal), .signalled(signal)].contains(result.status))
            #expect(storage.entries("crashes").count == 1)
        }
    }

    private static let canMount: Bool = {
        let result = try? ChildProcess.run(
            "unshare", ["--user", "--map-root-user", "--mount", "--pid", "--fork", "true"])
        return result?.status == .exited(0)
    }()

    @Test func storageThatCannotBeMade() throws {
        let result = try ChildProcess.run(try TestPrograms.host(), ["/proc/no/such/folder", "abort"])
        #expect(result.status == .exited(3))
        #expect(result.output.contains("cannot make the storage folder /proc/no/such/folder: "))
        #expect(result.output.contains("Give a folder that this user may write to"))
    }

    @Test func noStorage() throws {
        let result = try ChildProcess.run(try TestPrograms.host(), ["", "abort"])
        #expect(result.status == .exited(3))
        #expect(result.output == "no storage folder: set vaka_crash_config.storage\n")
    }
}
