// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@Suite struct ImageCheckTests {
    private func item(_ check: ImageCheck, _ name: String) throws -> ImageCheck.Item {
        try #require(check.items.first { $0.name == name }, "\(check.text)")
    }

    @Test(arguments: [4, 5])
    func aWholeProgramLacksNothing(version: Int) throws {
        let program = try SmallProgram(flags: ["-gdwarf-\(version)"])
        let check = ImageCheck(path: program.path)
        #expect(check.isComplete && check.items.allSatisfy { $0.state == .ok && $0.cure == nil }, "\(check.text)")
        #expect(check.dwarf?.versions == [version] && check.dwarf?.languages == ["C"])
        #expect(try item(check, "DWARF").detail == "version \(version), 1 unit, C")
        #expect(check.text.contains("1 of 1 files are on this machine"))
    }

    @Test func whatIsMissingComesWithTheCure() throws {
        let program = try SmallProgram(flags: ["-Wl,--build-id=none", "-s"])
        let check = ImageCheck(path: program.path)
        #expect(!check.isComplete)
        #expect(try item(check, "build id").cure?.contains("--build-id=sha1") == true)
        #expect(try item(check, "DWARF").state == .missing)
        #expect(try item(check, "symbols").state == .partial)
        #expect(check.text.contains("→ compile with -g"))
    }

    @Test func theCompanionCounts() throws {
        let program = try SmallProgram()
        let debug = try program.split()
        let check = ImageCheck(path: program.path)
        #expect(try item(check, "DWARF").detail == "in \(debug)")
        try FileManager.default.removeItem(atPath: debug)
        #expect(
            try item(ImageCheck(path: program.path), "DWARF").detail.contains("prog.debug, which is not found") == true)
    }

    @Test func sourcesThatAreGoneAreSaid() throws {
        let program = try SmallProgram()
        try FileManager.default.removeItem(atPath: program.path + ".c")
        let source = try item(ImageCheck(path: program.path), "source")
        #expect(source.state == .missing && source.cure?.contains("--include-sources") == true)
    }

    @Test func whatIsNoImageIsAnAnswer() throws {
        let program = try SmallProgram()
        let check = ImageCheck(path: program.path + ".c")
        #expect(check.error?.code == .notELF && check.identity == nil && !check.isComplete)
        #expect(check.text.contains("no ELF file"))
        let json = String(decoding: try ModelCoding.encode(check), as: UTF8.self)
        #expect(json.contains(#""code":"not_elf""#))
        let object = try SmallProgram(flags: ["-c"])
        #expect(ImageCheck(path: object.path).items.map(\.name) == ["kind"])
    }
}
