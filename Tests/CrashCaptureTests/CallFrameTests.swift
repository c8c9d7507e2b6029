// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// The handler's reading of call frame information, outside any handler.
@Suite struct CallFrameTests {
    private static let folder = Result { try TemporaryFolder() }
    private static let differential = Result { try build("cfi_differential", sources: [try CaptureLibrary.archive()]) }
    private static let hostile = Result { try build("cfi_hostile", sources: [try CaptureLibrary.archive()]) }
    /// With the registers and the defaults of arm64, on any machine.
    private static let differentialForARM64 = Result {
        let names = [
            "cfi_entry", "cfi_expression", "cfi_program", "cfi_step", "cfi_table", "checksum", "cursor", "images",
            "late_image", "reader", "state", "writer",
        ]
        let sources = names.map { "\(CaptureLibrary.sources)/async/\($0).c" }
        return try build("cfi_differential", as: "arm64", sources: ["-DVAKA_TEST_ARM64"] + sources)
    }

    private static func build(_ name: String, as output: String? = nil, sources: [String]) throws -> String {
        let core = CaptureLibrary.sources
        let output = try folder.get().path + "/" + (output ?? name)
        let program = BuildProducts.root + "/Tests/CrashCaptureTests/Programs/\(name).c"
        let flags = [
            "-std=gnu11", "-O2", "-g", "-D_GNU_SOURCE", "-I\(core)", "-I\(core)/include",
            "-I\(core)/../CVakaRecord/include",
        ]
        try CompiledProgram.tool("gcc", flags + [program] + sources + ["-ldw", "-lelf", "-o", output])
        return output
    }

    /// The file of a library that this process has loaded.
    private static func loaded(_ name: String) throws -> String {
        let maps = try CompiledProgram.tool("cat", ["/proc/\(getpid())/maps"])
        let path = maps.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }.first { $0.split(separator: "/").last?.hasPrefix(name) == true }
        return try #require(path, "\(name) is not loaded")
    }

    /// Rule by rule for every row of every entry; where libdw is wrong, the program says so and why.
    @Test(arguments: ["libc.so", "libstdc++.so", "libswiftCore.so", "libdispatch.so", "ld-linux"])
    func everyRowEqualsThatOfLibdw(library: String) throws {
        let result = try ChildProcess.run(try Self.differential.get(), [try Self.loaded(library)], seconds: 120)
        print(result.output, terminator: "")
        #expect(result.status == .exited(0), "\(result.output)\(result.errors)")
    }

    private static let librariesOfARM64 = ["libc.so.6", "libstdc++.so.6", "ld-linux-aarch64.so.1"]
        .map { "/usr/aarch64-linux-gnu/lib/" + $0 }.filter { access($0, R_OK) == 0 }

    @Test func thereAreLibrariesOfARM64() { #expect(Self.librariesOfARM64.count >= 2) }

    @Test(arguments: librariesOfARM64)
    func everyRowEqualsThatOfLibdwOnARM64(library: String) throws {
        let result = try ChildProcess.run(try Self.differentialForARM64.get(), [library], seconds: 120)
        print(result.output, terminator: "")
        #expect(result.status == .exited(0), "\(result.output)\(result.errors)")
    }

    /// Damaged tables, programs and expressions: every walk ends, soon, and without a fault.
    @Test(arguments: ["libc.so", "libdispatch.so"], [1, 2, 3])
    func damagedTablesEndTheWalk(library: String, seed: Int) throws {
        let rounds = 2000
        let result = try ChildProcess.run(
            try Self.hostile.get(), [try Self.loaded(library), "\(rounds)", "\(seed)"], seconds: 120)
        #expect(result.status == .exited(0), "\(result.errors)")
        let figures = result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(figures.count == 3, "\(result.output)")
        #expect(figures[0] == Double(rounds))
        #expect(figures[1] > Double(rounds), "no frame was found besides the first: the walks do not get far enough")
        // Of the processor's time; a whole walk over good tables takes less than a millisecond.
        #expect(figures[2] < 200_000, "a walk took \(figures[2]) µs")
    }
}
