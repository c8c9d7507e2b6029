// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// As the kernel runs the handler: the crashed process is still there. gdb holds it at its crash.
@Suite struct LiveProcessTests {
    private static let script = """
        import gdb, os, struct, subprocess, time
        gdb.execute("run")
        process = str(gdb.selected_inferior().pid)
        gdb.execute("generate-core-file " + os.environ["CORE"])
        for path in os.environ["REMOVE"].split():
            os.remove(path)
        if "ZEROS" in os.environ:
            with open(os.environ["CORE"], "r+b") as core:
                header = core.read(64)
                start, count = struct.unpack_from("<Q", header, 32)[0], struct.unpack_from("<H", header, 56)[0]
                core.seek(start)
                entries = [struct.unpack("<IIQQQQQQ", core.read(56)) for _ in range(count)]
                for entry in entries:
                    core.seek(entry[2])
                    for done in range(0, entry[5] if entry[0] == 1 else 0, 1 << 20):
                        core.write(bytes(min(1 << 20, entry[5] - done)))
        if "RECORD" in os.environ:
            with open(os.environ["RECORD"], "wb") as record:
                record.write(struct.pack("<8s4H16sQQi3I", b"VAKACRSH", 1, 0, 62, 64, b"", time.time_ns(), 0,
                                         int(process), 0, 0, 0))
        with open(os.environ["CORE"]) as core:
            subprocess.run([os.environ["VAKA"], "collect", "--storage", os.environ["STORAGE"], "--pid",
                            os.environ.get("PROCESS", process), "--host", "box"], stdin=core, check=True)
        """

    private func run(
        _ program: String, in folder: TemporaryFolder, _ environment: [String: String?]
    ) throws -> ChildProcess.Result {
        let script = folder.path + "/script.py"
        try Data(Self.script.utf8).write(to: URL(filePath: script))
        let own: [String: String?] = [
            "CORE": folder.path + "/core", "STORAGE": folder.path + "/storage", "REMOVE": "",
            "VAKA": BuildProducts.executable("vaka"), "SWIFT_BACKTRACE": "enable=no",
        ]
        return try ChildProcess.run(
            "gdb", ["-batch", "-nx", "-iex", "set debuginfod enabled off", "-x", script, program],
            environment: own.merging(environment) { $1 }, seconds: 120)
    }

    private func collect(
        _ program: String, in folder: TemporaryFolder, _ environment: [String: String?] = [:]
    ) throws -> Event {
        let result = try run(program, in: folder, environment)
        let name = try #require(folder.entries("storage/crashes").first, "\(result.errors)")
        let inspected = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["symbolicate", "--format", "json", folder.path + "/storage/crashes/" + name])
        return try ModelCoding.decode(Event.self, from: inspected.outputData)
    }

    @Test func namesAndSurroundingsAreTold() throws {
        let folder = try TemporaryFolder()
        let program = BuildProducts.crasher("after-await")
        let event = try collect(program, in: folder, ["VAKA_RELEASE": "shop@7"])
        #expect(event.threads.allSatisfy { $0.name?.isEmpty == false })
        #expect(event.crashedThread?.name != "after-await")
        #expect(event.release == "shop@7")
        let process = event.contexts["process"]
        #expect(process?["executable"]?.string == program && process?["name"] == "after-await")
        #expect(process?["uptime_s"] != nil && process?["thread_count"] == .integer(Int64(event.threads.count)))
        #expect(process?["memory"]?["resident_bytes"] != .null && process?["memory"]?["peak_resident_bytes"] != .null)
        #expect(event.contexts["host"]?["name"] == "box")
        #expect(event.contexts["os"]?.object?.isEmpty == false)
        #expect(event.contexts["kernel"]?["name"] == "Linux")
    }

    /// Of a large core, memory is not read from the core, which has none here.
    @Test func theMemoryOfALargeCoreIsTheProcesssOwn() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "large",
            source: """
                #include <stdlib.h>
                #include <string.h>
                __attribute__((noinline)) static int use(char *memory) { return memory[5] + *(volatile int *)8; }
                int main(void) { char *memory = malloc(100 << 20); memset(memory, 1, 100 << 20); return use(memory); }
                """, extension: "c", compiler: "gcc", flags: ["-g", "-O1"], in: folder)
        let event = try collect(program, in: folder, ["ZEROS": "1"])
        let frames = try #require(event.crashedThread).frames.filter { !$0.inlined }
        #expect(frames.prefix(2).map(\.function) == ["use", "main"])
        #expect(event.crashedThread?.framesTruncated == false)
        #expect(!event.loss.contains { $0.what == "memory of the core" })
    }

    /// The file that is mapped is read, where it has no name any more.
    @Test(.enabled(if: geteuid() == 0)) func aRemovedExecutableIsStillRead() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/program"
        try CompiledProgram.copy(BuildProducts.crasher("null-read"), to: program)
        let event = try collect(program, in: folder, ["REMOVE": program])
        let frames = try #require(event.crashedThread).frames.filter { !$0.inlined }
        #expect(frames.prefix(3).map(\.trust) == [.context, .cfi, .cfi])
        #expect(event.crashedThread?.framesTruncated == false)
        #expect(event.contexts["process"]?["executable"]?.string?.hasPrefix(program) == true)
    }

    /// A forked child has no run file; that its handlers left a record, their folder tells.
    @Test func aForkedChildsRecordIsNotDoubled() throws {
        let folder = try TemporaryFolder()
        let own = folder.path + "/own/crashes"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let name = String(repeating: "ab", count: 16)
        let result = try run(
            BuildProducts.crasher("null-read"), in: folder,
            ["VAKA_STORAGE": folder.path + "/own", "RECORD": "\(own)/\(name).vakacrash"])
        #expect(result.errors.contains("left record \(name)"), "\(result.errors)")
        #expect(folder.entries("storage/crashes") == [])
    }

    /// Another process of that number is not asked.
    @Test func anotherProcessIsNotTakenForIt() throws {
        let folder = try TemporaryFolder()
        let event = try collect(BuildProducts.crasher("null-read"), in: folder, ["PROCESS": "\(getpid())"])
        #expect(event.contexts["process"]?["executable"] == nil)
        #expect(event.contexts["kernel"] == .object([:]))
        #expect(event.crashedThread?.frames.count ?? 0 > 3)
    }
}
