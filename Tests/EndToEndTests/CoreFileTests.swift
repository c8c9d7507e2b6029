// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Core files of real crashes, written by gdb, so that the machine's core_pattern does not matter.
@Suite struct CoreFileTests {
    private func core(of crasher: String, in folder: TemporaryFolder) throws -> String {
        let core = folder.path + "/core"
        _ = try ChildProcess.run(
            "gdb",
            [
                "-batch", "-nx", "-iex", "set debuginfod enabled off", "-ex", "run", "-ex",
                "generate-core-file \(core)",
                BuildProducts.crasher(crasher),
            ], environment: ["SWIFT_BACKTRACE": "enable=no"], seconds: 120)
        try #require(FileManager.default.fileExists(atPath: core), "gdb wrote no core")
        return core
    }

    private func symbolicate(_ core: String) throws -> Event {
        let result = try ChildProcess.run(
            BuildProducts.executable("vaka"), ["symbolicate", "--format", "json", core])
        #expect(result.status == .exited(0), "\(result.errors)")
        return try ModelCoding.decode(Event.self, from: result.outputData)
    }

    @Test func aCoreOfAnyProgramIsAReport() throws {
        let folder = try TemporaryFolder()
        let event = try symbolicate(try core(of: "qsort-abort", in: folder))
        #expect(event.reason?.signal == "SIGABRT")
        #expect(event.arch == "x86_64")
        let thread = try #require(event.crashedThread)
        let names = thread.frames.compactMap(\.function)
        #expect(names.contains("abort"))
        #expect(names.contains("main"))
        let own = thread.frames.filter { $0.module == "qsort-abort" && $0.file != nil }
        #expect(own.allSatisfy { $0.file?.hasSuffix("qsort-abort.c") == true && $0.line != nil })
        #expect(own.count >= 3)
        #expect(event.contexts["process"]?["name"] == "qsort-abort")
    }

    @Test func aFaultHasItsAddress() throws {
        let folder = try TemporaryFolder()
        let event = try symbolicate(try core(of: "null-write", in: folder))
        #expect(event.reason?.code == "SEGV_MAPERR")
        #expect(event.reason?.faultAddress == HexAddress(8))
    }

    @Test func aCallThroughNullIsKnown() throws {
        let folder = try TemporaryFolder()
        let reason = try symbolicate(try core(of: "call-null", in: folder)).reason
        #expect(reason?.kind == .nullCall && reason?.access == .execute)
    }

    /// Cut anywhere and with bytes changed: an answer or a clear error, never a crash.
    @Test func damagedCoresAreReadOrRefused() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: core(of: "null-write", in: folder)))
        var random = SeededRandom(seed: 11)
        for round in 0..<24 {
            var bytes = whole
            if round % 3 == 0 { bytes = whole.prefix(Int.random(in: 0..<min(whole.count, 60_000), using: &random)) }
            for _ in 0..<(round % 3) * 40 where !bytes.isEmpty {
                let position = Int.random(in: 0..<min(bytes.count, 4096), using: &random)
                bytes[bytes.startIndex + position] = UInt8.random(in: 0...255, using: &random)
            }
            let file = folder.path + "/damaged-\(round)"
            try bytes.write(to: URL(filePath: file))
            let result = try ChildProcess.run(
                BuildProducts.executable("vaka"), ["symbolicate", "--format", "json", file])
            #expect(result.status == .exited(0) || result.status == .exited(1), "round \(round): \(result.status)")
        }
    }
}
