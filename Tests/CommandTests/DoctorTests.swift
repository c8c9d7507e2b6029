// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// `vaka doctor` in surroundings of which each takes something away: the line that tells of it changes.
@Suite struct DoctorTests {
    private struct Told {
        var captures: Bool
        var exitStatus: ChildProcess.Status
        private var findings: [String: JSONValue] = [:]

        init(_ result: ChildProcess.Result) throws {
            exitStatus = result.status
            let document = try ModelCoding.decode(JSONValue.self, from: result.outputData)
            guard case .array(let list)? = document["findings"] else {
                throw ChildProcess.Failure(description: "no findings: \(result.output)\(result.errors)")
            }
            captures = document["captures"] == true
            for finding in list { findings[finding["key"]?.string ?? ""] = finding }
        }

        func status(_ key: String) -> String? { findings[key]?["status"]?.string }
        func says(_ key: String) -> String { findings[key]?["says"]?.string ?? "" }
        func measured(_ key: String) -> JSONValue? { findings[key]?["measured"] }
        var keys: Set<String> { Set(findings.keys) }
    }

    private static let command = BuildProducts.executable("vaka")
    private let folder: TemporaryFolder
    private var storage: String { folder.path + "/storage" }

    init() throws { folder = try TemporaryFolder() }

    /// `before` is what a shell runs first.
    private func examine(
        _ options: [String] = [], before: String = "true", unshare: [String] = [], environment: [String: String?] = [:]
    ) throws -> Told {
        let arguments =
            ["doctor", "--library", BuildProducts.preloadLibrary, "--storage", storage, "--format", "json"] + options
        let variables: [String: String?] = ["SWIFT_BACKTRACE": "enable=no", "VAKA_URL": nil, "VAKA_KEY": nil]
        let result = try ChildProcess.run(
            "/usr/bin/env", unshare + ["/bin/sh", "-c", "\(before) && exec \"$0\" \"$@\"", Self.command] + arguments,
            environment: variables.merging(environment) { $1 }, seconds: 120)
        return try Told(result)
    }

    private static let mounts = ["unshare", "--user", "--map-root-user", "--mount"]
    private static let canMount =
        (try? ChildProcess.run(mounts[0], mounts.dropFirst() + ["true"]).status) == .exited(0)

    @Test func anOrdinaryMachineAllowsAll() throws {
        let told = try examine()
        #expect(told.exitStatus == .exited(0) && told.captures)
        for key in [
            "library", "storage", "capture", "frames", "threads", "ending", "overflow", "thread_overflow", "reader",
            "calls", "proc", "file_size", "swift_backtracer", "cores", "ptrace", "first_process", "clock",
        ] {
            #expect(told.status(key) == "ok", "\(key): \(told.says(key))")
        }
        #expect(told.keys.isSuperset(of: ["time", "record", "memory_kills"]))
        #expect(told.measured("time")?["median_ms"] != nil && told.measured("record")?["bytes"] != nil)
        // Nothing stays.
        #expect(folder.entries() == [])
    }

    @Test func aPersonReadsALineEach() throws {
        let result = try ChildProcess.run(
            Self.command, ["doctor", "--library", BuildProducts.preloadLibrary, "--storage", storage],
            environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(result.status == .exited(0))
        #expect(result.output.contains("ok        capture "), "\(result.output)")
        #expect(result.output.hasSuffix("\nA crash here is caught.\n"))
    }

    /// A program that has `call` refused, or is ended by it, and then runs its arguments.
    private func sandbox(_ call: String, _ answer: String) throws -> String {
        try CompiledProgram.build(
            "sandbox",
            source: """
                #include <linux/filter.h>
                #include <linux/seccomp.h>
                #include <stddef.h>
                #include <sys/prctl.h>
                #include <sys/syscall.h>
                #include <unistd.h>
                int main(int argc, char **argv) {
                    struct sock_filter code[] = {
                        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_\(call), 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, \(answer)),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                    };
                    struct sock_fprog program = {4, code};
                    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &program)) return 99;
                    execv(argv[1], argv + 1);
                    return 98;
                }
                """, extension: "c", compiler: "gcc", flags: [], in: folder)
    }

    @Test func aSandboxThatRefusesToReadMemory() throws {
        let sandbox = try sandbox("process_vm_readv", "SECCOMP_RET_ERRNO | 1")
        let told = try examine(unshare: [sandbox])
        #expect(told.exitStatus == .exited(0) && told.captures)
        #expect(told.status("reader") == "degraded" && told.says("reader").contains("Operation not permitted"))
        #expect(told.status("calls") == "degraded" && told.says("calls").contains("process_vm_readv"))
        #expect(told.measured("calls")?["refused"] == ["process_vm_readv"])
        #expect(told.status("capture") == "ok" && told.status("frames") == "ok")
    }

    @Test func aSandboxThatEndsTheProcess() throws {
        let told = try examine(unshare: [try sandbox("timer_create", "0x80000000")])
        #expect(told.status("calls") == "missing" && told.says("calls").contains("timer_create ends the process"))
        #expect(told.exitStatus == .exited(1) && !told.captures && told.status("capture") == "missing")
    }

    @Test(.enabled(if: Self.canMount)) func noProc() throws {
        let told = try examine(before: "mount -t tmpfs none /proc", unshare: Self.mounts)
        #expect(told.exitStatus == .exited(0) && told.captures)
        #expect(told.status("proc") == "degraded" && told.status("frames") == "ok")
        #expect(told.status("cores") == "ok" && told.says("cores").contains("not known"))
    }

    @Test(.enabled(if: Self.canMount)) func aFolderThatCannotBeWrittenTo() throws {
        try FileManager.default.createDirectory(atPath: storage, withIntermediateDirectories: true)
        let told = try examine(before: "mount -t tmpfs -o ro none \(storage)", unshare: Self.mounts)
        #expect(told.exitStatus == .exited(1) && !told.captures)
        #expect(told.status("storage") == "missing" && told.says("storage").contains("Read-only file system"))
        // The rest is tried elsewhere.
        #expect(told.status("capture") == "ok")
    }

    @Test(.enabled(if: Self.canMount)) func aFullDisk() throws {
        try FileManager.default.createDirectory(atPath: storage, withIntermediateDirectories: true)
        let fill = "mount -t tmpfs -o size=64k none \(storage) && { cat /dev/zero > \(storage)/all 2>&-; true; }"
        let told = try examine(before: fill, unshare: Self.mounts)
        #expect(told.exitStatus == .exited(1) && !told.captures)
        #expect(told.status("storage") == "degraded" && told.says("storage").contains("0 bytes free"))
        #expect(told.status("capture") == "missing")
    }

    @Test func aLimitOfFileSizes() throws {
        let told = try examine(before: "ulimit -f 200")
        #expect(told.status("file_size") != "ok")
        #expect(told.measured("file_size")?["limit_bytes"] == 102_400)
        #expect(told.captures == (told.status("file_size") == "degraded"))
    }

    /// The toolchain's backtracer, where this machine has it.
    @Test func theSwiftRuntimesBacktracer() throws {
        let off = try examine(environment: ["SWIFT_BACKTRACE": "enable=no"])
        let on = try examine(environment: ["SWIFT_BACKTRACE": "enable=yes"])
        #expect(off.status("swift_backtracer") == "ok" && off.says("swift_backtracer").contains("enable=no"))
        #expect(on.status("swift_backtracer") == "degraded" && on.exitStatus == .exited(0))
        #expect(on.measured("swift_backtracer")?["setting"] == "enable=yes")
    }

    @Test func threadsWithoutAStackForTheHandler() throws {
        let told = try examine(environment: ["VAKA_NO_THREAD_STACKS": "1"])
        #expect(told.status("thread_overflow") == "missing" && told.status("overflow") == "ok")
        #expect(told.exitStatus == .exited(0))
    }

    @Test func noControlGroup() throws {
        let told = try examine(["--cgroup-root", folder.path])
        #expect(told.status("memory_kills") == "degraded" && told.exitStatus == .exited(0))
    }

    @Test func aMissingLibrary() throws {
        let alone = folder.path + "/vaka"
        try CompiledProgram.copy(Self.command, to: alone)
        let result = try ChildProcess.run(alone, ["doctor", "--storage", storage, "--format", "json"])
        let told = try Told(result)
        #expect(told.exitStatus == .exited(1) && told.status("library") == "missing")
    }

    @Test func theServiceIsAskedAndNothingIsSent() throws {
        let server = try ServerProcess()
        let (url, key) = (server.credentials.url, server.credentials.ingestKey)
        #expect(try examine(["--url", url, "--key", key]).status("service") == "ok")
        let refused = try examine(["--url", url, "--key", "vk_wrong"])
        #expect(refused.status("service") == "degraded" && refused.exitStatus == .exited(0))
        let gone = try examine(["--url", "http://127.0.0.1:1", "--key", key])
        #expect(gone.status("service") == "degraded" && gone.says("service").contains("cannot be reached"))
        let issues = try server.get("issues")
        #expect(!String(decoding: issues.body, as: UTF8.self).contains("SIGSEGV"))
    }

    @Test(arguments: [["x"], ["--format", "xml"], ["--key", "vk_x"], ["--library", "/nonexistent.so"]])
    func wrongUsageIsStatusTwo(arguments: [String]) throws {
        let result = try ChildProcess.run(
            Self.command, ["doctor"] + arguments, environment: ["VAKA_URL": nil, "VAKA_KEY": nil])
        #expect(result.status == .exited(2) && result.errors.hasPrefix("vaka: "), "\(arguments)")
    }
}
