// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@Suite struct LargeCoreTests {
    /// Runs a command and says what the largest of its processes used at most, in KiB.
    private static let measure = """
        import resource, subprocess, sys
        done = subprocess.run(sys.argv[1:], stdin=0, stdout=subprocess.DEVNULL)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        sys.exit(done.returncode)
        """

    private func collect(_ core: SyntheticCore, _ storage: String, prefix: String = "") throws -> ChildProcess.Result {
        let command = BuildProducts.executable("vaka")
        return try ChildProcess.run(
            "/bin/sh",
            [
                "-c", "\(prefix) \(core.producer) | python3 -c \"$MEASURE\" \(command) collect --storage \(storage)",
            ], environment: ["MEASURE": Self.measure], seconds: 180)
    }

    @Test func twoGigabytesNeedLittleMemoryAndLittleDisk() throws {
        let folder = try TemporaryFolder()
        let small = try CoreOfCrash.make(BuildProducts.crasher("fatal-error"), in: folder)
        let large = try SyntheticCore(small, heapBytes: 2 << 30, in: folder)
        let storage = folder.path + "/storage"
        // No file may grow beyond 128 MiB, in units of 512 bytes.
        let result = try collect(large, storage, prefix: "ulimit -f \(128 << 11);")
        #expect(result.status == .exited(0), "\(result.errors)")
        let peak = try #require(Int(result.output.filter(\.isNumber)))
        print("2 GiB of core: \(peak) KiB of memory at most")
        #expect(peak < 64 << 10)
        let names = try FileManager.default.contentsOfDirectory(atPath: storage + "/crashes")
        #expect(names.count == 1)
        let record = storage + "/crashes/" + (names.first ?? "")
        let text = try ChildProcess.run(BuildProducts.executable("vaka"), ["symbolicate", record]).output
        // What lies behind the heap, and what lies before it.
        #expect(text.contains("port(_:)") && text.contains("[swift]"), "\(text)")
    }
}
