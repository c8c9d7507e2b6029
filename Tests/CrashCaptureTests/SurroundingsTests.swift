// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
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
        #expect(try captured.record().event().reason?.kind == .stackOverflow)
        #expect(thread.frames.count == 256)
        #expect(thread.framesTruncated)
        #expect(thread.stack?.data.count == 65536)
    }

    /// A limit that was there before, one that nobody can raise, and one that came after the file was allocated.
    @Test(
        arguments: ["limited", "limited-for-good", "limited-later"], ["0", "64", "4096", "20000", "100000", "1000000"])
    func limitedFileSize(_ way: String, _ bytes: String) throws {
        let captured = try Captured.host(way, bytes)
        #expect(captured.result.status == .signalled(SIGSEGV), "not SIGXFSZ, not SIGBUS")
        let fits = try #require(Int(bytes)) >= 20000
        guard way != "limited-for-good" || fits else { return }
        let record = try captured.record()
        #expect(record.isWhole)
        #expect(record.event().reason?.signal == "SIGSEGV")
        #expect((record.event().threads.first?.frames.count ?? 0) > 2)
        if way == "limited-later" { #expect(record.event().loss.isEmpty) }
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

    /// A root folder with nothing in it: no /proc, no libraries, no os-release.
    @Test(.enabled(if: Self.canMount)) func emptyRoot() throws {
        let root = try TemporaryFolder()
        let program = try TestPrograms.staticHost()
        // Copied by another process: a file that this one has open for writing may be inherited by a child that another
        // test starts at this moment, and is then too busy to be run.
        try CompiledProgram.copy(program, to: root.path + "/host")
        let result = try ChildProcess.run(
            "unshare", ["--user", "--map-root-user", "chroot", root.path, "/host", "/storage", "tell"])
        #expect(result.status == .signalled(SIGSEGV))
        let name = try #require(root.entries("storage/crashes").first)
        let event = try CrashRecordFile(contentsOf: root.path + "/storage/crashes/" + name).event()
        #expect(event.loss.map(\.what) == ["what /proc tells"])
        #expect(event.debugImages.first?.codeFile == "/host")
        #expect(event.contexts["process"]?.object?["name"] == "host")
        #expect((event.threads.first?.stack?.data.count ?? 0) > 1024)
    }

    /// The core shows the crash and not the handler.
    @Test(.enabled(if: Self.writesCores), arguments: ["abort", "null-write", "breakpoint"])
    func coreIsAsWithoutUs(_ way: String) throws {
        func whereItCrashed(_ environment: [String: String?]) throws -> [String] {
            let folder = try TemporaryFolder()
            let program = try TestPrograms.plain()
            let script = "ulimit -c unlimited; exec \(program) \(way)"
            _ = try ChildProcess.run("sh", ["-c", script], environment: environment, directory: folder.path)
            let core = try #require(folder.entries().first { $0.hasPrefix("core") })
            let commands = ["-ex", "p $_siginfo.si_signo", "-ex", "p $_siginfo.si_code", "-ex", "bt"]
            return try CompiledProgram.tool(
                "gdb", ["-batch", "-nx"] + commands + [program, folder.path + "/" + core]
            ).split(separator: "\n").filter { $0.hasPrefix("$") || $0.hasPrefix("#") }.map {
                String($0.replacing(#/0x[0-9a-f]+|threadid=[^,]*/#, with: ""))
            }
        }
        let storage = try TemporaryFolder()
        let with = try whereItCrashed(["LD_PRELOAD": try CaptureLibrary.shared(), "VAKA_STORAGE": storage.path])
        #expect(storage.entries("crashes").count == 1)
        #expect(with == (try whereItCrashed([:])))
        #expect(with.count > 3)
    }

    private static let writesCores: Bool = {
        let pattern = (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) ?? "|"
        return pattern.hasPrefix("core") && (try? ChildProcess.run("which", ["gdb"]).status) == .exited(0)
    }()

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
