// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing

/// Damaged files are answered: with an error, with fewer names, or with wrong ones, but never with a trap or a hang.
@Suite struct DamageTests {
    /// Opens a damaged copy and looks up addresses all over its code.
    private static func probe(_ path: String, _ addresses: [UInt64]) -> Bool {
        guard let file = try? DebugFile(path: path) else { return false }
        for address in addresses { _ = file.lookup(address: address, nearestLines: true) }
        return true
    }

    @Test(arguments: ["4", "5"])
    func anyBytesChanged(version: String) throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "prog", source: SamplePrograms.c, extension: "c", compiler: "gcc", flags: ["-O2", "-gdwarf-\(version)"],
            in: folder)
        let whole = try Data(contentsOf: URL(filePath: program))
        let addresses = try Agreement.addresses(program, count: 24, seed: 5)
        let sections = try ELFFile(path: program).sections.filter { $0.name.hasPrefix(".debug_") && !$0.isEmpty }
        let places =
            sections.flatMap { Array(Int($0.offset)..<Int($0.offset + $0.size)) }
            + Array(whole.count - 2600..<whole.count)
        var random = SeededRandom(seed: 11)
        let path = folder.path + "/damaged"
        var opened = 0
        for _ in 0..<400 {
            var copy = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                copy[places.randomElement(using: &random) ?? 0] = UInt8.random(in: 0...255, using: &random)
            }
            try copy.write(to: URL(filePath: path))
            if Self.probe(path, addresses) { opened += 1 }
        }
        #expect(opened > 200, "most damage leaves the file readable, else this tests little")
    }

    @Test func anyCut() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "prog", source: SamplePrograms.c, extension: "c", compiler: "gcc", flags: ["-O2", "-g"], in: folder)
        let whole = try Data(contentsOf: URL(filePath: program))
        let path = folder.path + "/cut"
        for size in stride(from: 0, to: whole.count, by: 211) {
            try whole.prefix(size).write(to: URL(filePath: path))
            #expect(!Self.probe(path, []), "cut at \(size)")
        }
    }

    @Test func objectFilesAreRefusedWithAReason() throws {
        let folder = try TemporaryFolder()
        let object = try CompiledProgram.build(
            "prog", source: SamplePrograms.c, extension: "c", compiler: "gcc", flags: ["-c", "-g"], in: folder)
        let error = #expect(throws: DebugImageError.self) { try DebugFile(path: object) }
        #expect(error?.code == .unsupported && error?.message.contains("linked") == true)
    }
}
