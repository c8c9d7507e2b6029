// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import Glibc
import TestSupport
import Testing
import VakaModel

/// The other architecture and the other libc, where this machine has their compilers.
@Suite struct ArchitectureTests {
    private static func has(_ tools: String...) -> Bool {
        tools.allSatisfy { (try? ChildProcess.run("which", [$0]).status) == .exited(0) }
    }

    /// Builds the library and a static program with it.
    private func build(
        _ compiler: String, archiver: String, flags: [String] = ["-fno-omit-frame-pointer"], in folder: TemporaryFolder
    ) throws -> String {
        try CompiledProgram.tool(
            "make",
            ["-s", "-C", CaptureLibrary.sources, "OUT=\(folder.path)/lib", "CC=\(compiler)", "AR=\(archiver)"])
        let output = folder.path + "/host"
        try CompiledProgram.tool(
            compiler,
            [
                "-O1", "-w", "-g", "-static",
                BuildProducts.root + "/Tests/CrashCaptureTests/Programs/host.c",
                "-I\(CaptureLibrary.sources)/include", "\(folder.path)/lib/libvakacrash.a", "-o", output,
            ] + flags)
        return output
    }

    @Test(.enabled(if: has("aarch64-linux-gnu-gcc", "qemu-aarch64-static"))) func arm64() throws {
        let folder = try TemporaryFolder()
        let program = try build("aarch64-linux-gnu-gcc", archiver: "aarch64-linux-gnu-ar", in: folder)
        let storage = try TemporaryFolder()
        let result = try ChildProcess.run("qemu-aarch64-static", [program, storage.path, "tell"])
        #expect(result.status == .signalled(SIGSEGV))
        let record = try Captured(result: result, storage: storage).record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.arch == "arm64")
        #expect(event.reason?.faultAddress == HexAddress(8))
        let thread = try #require(event.threads.first)
        #expect(thread.registers.count == 34)
        #expect(thread.registers["pc"] == thread.frames.first?.instructionAddress)
        #expect(thread.frames.count >= 3)
        #expect(event.tags == ["colour": "blue"])

        let other = try TemporaryFolder()
        let small = try ChildProcess.run("qemu-aarch64-static", [program, other.path, "small-stack"])
        #expect(small.status == .exited(0))
        #expect(small.output == "returned from 5\n0 bytes beside it; own 1\n")
    }

    /// No frame pointers, and return addresses that are signed.
    @Test(.enabled(if: has("aarch64-linux-gnu-gcc", "qemu-aarch64-static"))) func arm64CallFrames() throws {
        let folder = try TemporaryFolder()
        let program = try build(
            "aarch64-linux-gnu-gcc", archiver: "aarch64-linux-gnu-ar",
            flags: ["-fomit-frame-pointer", "-mbranch-protection=pac-ret+leaf"], in: folder)
        let storage = try TemporaryFolder()
        let result = try ChildProcess.run("qemu-aarch64-static", ["-cpu", "max", program, storage.path, "tell"])
        let event = try Captured(result: result, storage: storage).record().event()
        let thread = try #require(event.threads.first)
        #expect(thread.frames.dropFirst().allSatisfy { $0.trust == .cfi })
        #expect(!thread.framesTruncated)
        let names = try CompiledProgram.tool(
            "aarch64-linux-gnu-addr2line",
            ["-f", "-e", program] + thread.frames.map { "0x" + String($0.lookupAddress, radix: 16) })
        #expect(names.contains("main\n") && names.contains("__libc_start_main"), "\(names)")
    }

    @Test(.enabled(if: has("musl-gcc"))) func musl() throws {
        let folder = try TemporaryFolder()
        let program = try build("musl-gcc", archiver: "ar", in: folder)
        let storage = try TemporaryFolder()
        let result = try ChildProcess.run(program, [storage.path, "tell"])
        #expect(result.status == .signalled(SIGSEGV))
        let record = try Captured(result: result, storage: storage).record()
        #expect(record.isWhole)
        #expect(record.event().tags == ["colour": "blue"])
    }
}
