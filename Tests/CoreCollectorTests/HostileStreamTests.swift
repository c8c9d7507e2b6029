// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CrashRecord
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Cores that end early, that were changed, that are none, and that never end: a record that says what is missing, or
/// an error, and always soon.
@Suite struct HostileStreamTests {
    private func check(_ collected: Collected, _ what: String) throws {
        guard collected.status == .exited(0) else {
            #expect(collected.status == .exited(1), "\(what): \(collected.status)")
            #expect(collected.errors.hasPrefix("vaka: "), "\(what)")
            #expect(collected.records.isEmpty, "\(what)")
            return
        }
        for record in collected.records {
            #expect(try CrashRecordFile(contentsOf: record).isComplete, "\(what)")
        }
    }

    @Test func aCoreThatEndsAnywhere() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("double-free"), in: folder)
        let bytes = try Data(contentsOf: URL(filePath: core)).count
        var random = SeededRandom(seed: 4)
        let places = [0, 1, 63, 64, 100, 120] + (0..<24).map { _ in Int.random(in: 120..<bytes, using: &random) }
        for place in places {
            let storage = "\(folder.path)/cut-\(place)"
            let collected = try Collected(storage, core: core, producer: "head -c \(place) \"$CORE\"")
            try check(collected, "\(place) bytes")
            guard collected.status == .exited(0) else { continue }
            #expect(try collected.event().loss.contains { $0.why.contains("it ended after \(place) bytes") })
        }
    }

    /// The thread is known once its notes are there, whatever comes after.
    @Test func whatCameBeforeTheEndIsKept() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("null-read"), in: folder)
        let data = try Data(contentsOf: URL(filePath: core))
        let header = data.withUnsafeBytes { $0.loadUnaligned(as: Elf64_Ehdr.self) }
        let notes = data.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: Int(header.e_phoff), as: Elf64_Phdr.self)
        }
        try #require(notes.p_type == UInt32(PT_NOTE))
        let collected = try Collected(
            folder.path + "/storage", core: core, producer: "head -c \(notes.p_offset + notes.p_filesz) \"$CORE\"")
        let event = try collected.event()
        #expect(event.reason?.signal == "SIGSEGV" && event.reason?.faultAddress == HexAddress(8))
        #expect(event.crashedThread?.frames.count == 1 && event.crashedThread?.registers.isEmpty == false)
    }

    @Test func changedBytes() throws {
        let folder = try TemporaryFolder()
        let core = try CoreOfCrash.make(BuildProducts.crasher("fixed-address"), in: folder)
        let whole = try Data(contentsOf: URL(filePath: core))
        var random = SeededRandom(seed: 17)
        for round in 0..<40 {
            var bytes = whole
            let range = round.isMultiple(of: 2) ? 0..<4096 : 0..<bytes.count
            for _ in 0..<(1 + round * 4) {
                bytes[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let file = "\(folder.path)/changed"
            try bytes.write(to: URL(filePath: file))
            try check(try Collected("\(folder.path)/storage-\(round)", core: file), "round \(round)")
        }
    }

    @Test(arguments: [
        "printf ''", "echo 'hello, world'", "head -c 100000 /dev/urandom", "cat /bin/true", "cat /dev/zero",
    ])
    func whatIsNoCoreIsRefused(producer: String) throws {
        let folder = try TemporaryFolder()
        let collected = try Collected(folder.path, core: "", producer: producer)
        #expect(collected.status == .exited(1))
        #expect(collected.errors.contains("standard input is"), "\(collected.errors)")
        #expect(folder.entries("crashes") == [])
    }

    /// Memory of four exabytes, of which there is no end.
    @Test(arguments: [
        (["--max-seconds", "1"], "the time"), (["--max-bytes", "50000000"], "no more than 50000000 bytes"),
    ])
    func anEndlessCoreIsCut(options: [String], why: String) throws {
        let folder = try TemporaryFolder()
        let small = try CoreOfCrash.make(BuildProducts.crasher("null-read"), in: folder)
        let endless = try SyntheticCore(small, heapBytes: 1 << 62, in: folder)
        let collected = try Collected(
            folder.path + "/storage", core: "", producer: "(cat \(endless.before); cat /dev/zero)", options)
        let event = try collected.event()
        #expect(event.reason?.signal == "SIGSEGV")
        #expect(event.loss.contains { $0.what == "memory of the core" && $0.why.contains(why) }, "\(event.loss)")
    }

    @Test func aWriterThatSaysNothingIsNotWaitedForLong() throws {
        let folder = try TemporaryFolder()
        let collected = try Collected(folder.path, core: "", producer: "sleep 4", ["--max-seconds", "1"])
        #expect(collected.status == .exited(1))
        #expect(collected.errors.contains("standard input is empty"), "\(collected.errors)")
    }

    /// The process that reads images' files dies of one: the rest is kept, and it is said.
    @Test func aFileThatKillsItsReaderCostsTheFrames() throws {
        let folder = try TemporaryFolder()
        let killer = try CompiledProgram.build(
            "killer", source: "int dwarf_cfi_addrframe(void) { __builtin_trap(); }", extension: "c", compiler: "gcc",
            flags: ["-shared", "-fPIC"], in: folder)
        let core = try CoreOfCrash.make(BuildProducts.crasher("null-read"), in: folder)
        let result = try ChildProcess.run(
            "/bin/sh",
            [
                "-c", "LD_PRELOAD=\(killer) exec \"$0\" collect --storage \(folder.path)/storage < \"$CORE\"",
                BuildProducts.executable("vaka"),
            ], environment: ["CORE": core])
        #expect(result.status == .exited(0) && result.errors.contains("signal 4"), "\(result.errors)")
        let name = try #require(folder.entries("storage/crashes").first)
        let event = try CrashRecordFile(contentsOf: folder.path + "/storage/crashes/" + name).event()
        #expect(event.loss.contains { $0.why.contains("ended by signal 4") })
        #expect(event.crashedThread?.frames.count == 1 && event.crashedThread?.stack != nil)
        #expect(event.reason?.faultAddress == HexAddress(8))
    }
}
