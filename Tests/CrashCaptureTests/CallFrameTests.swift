// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// The handler's reading of call frame information, outside any handler.
@Suite struct CallFrameTests {
    private static let folder = Result { try TemporaryFolder() }
    private static let differential = Result { try build("cfi_differential") }
    private static let hostile = Result { try build("cfi_hostile") }

    private static func build(_ name: String) throws -> String {
        let sources = CaptureLibrary.sources
        let output = try folder.get().path + "/" + name
        try CompiledProgram.tool(
            "gcc",
            [
                "-std=gnu11", "-O2", "-g", "-D_GNU_SOURCE", "-I\(sources)", "-I\(sources)/include",
                "-I\(sources)/../CVakaRecord/include",
                BuildProducts.root + "/Tests/CrashCaptureTests/Programs/\(name).c", try CaptureLibrary.archive(),
                "-ldw", "-lelf", "-o", output,
            ])
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

    /// Damaged tables, programs and expressions: every walk ends, soon, and without a fault.
    @Test(arguments: [1, 2, 3])
    func damagedTablesEndTheWalk(seed: Int) throws {
        let rounds = 2000
        let result = try ChildProcess.run(
            try Self.hostile.get(), [try Self.loaded("libc.so"), "\(rounds)", "\(seed)"], seconds: 120)
        #expect(result.status == .exited(0), "\(result.errors)")
        let figures = result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(figures.count == 3, "\(result.output)")
        #expect(figures[0] == Double(rounds))
        #expect(figures[1] > Double(rounds), "no frame was found besides the first: the walks do not get far enough")
        // Of the processor's time; a whole walk over good tables takes less than a millisecond.
        #expect(figures[2] < 200_000, "a walk took \(figures[2]) µs")
    }
}
