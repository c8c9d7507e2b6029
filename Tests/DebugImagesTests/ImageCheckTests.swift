// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@Suite struct ImageCheckTests {
    private func item(_ check: ImageCheck, _ name: String) throws -> ImageFinding {
        try #require(check.items.first { $0.name == name }, "\(check.text)")
    }

    @Test(arguments: [4, 5])
    func aWholeProgramLacksNothing(version: Int) throws {
        let program = try SmallProgram(flags: ["-gdwarf-\(version)"])
        let check = ImageCheck(path: program.path)
        #expect(check.isComplete && check.items.allSatisfy { $0.state == .ok && $0.cure == nil }, "\(check.text)")
        #expect(check.dwarf?.versions == [version] && check.dwarf?.languages == ["C"])
        #expect(try item(check, "DWARF").detail.hasPrefix("version \(version), 1 unit, C; by GNU C"))
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

    @Test func partsThatAreElsewhereAreNamed() throws {
        let program = try SmallProgram(flags: ["-g", "-gsplit-dwarf", "-O1"])
        let whole = try item(ImageCheck(path: program.path), "DWARF")
        #expect(whole.state == .ok, "\(whole)")
        for name in program.folder.entries("") where name.hasSuffix(".dwo") {
            try FileManager.default.removeItem(atPath: program.folder.path + "/" + name)
        }
        let finding = try item(ImageCheck(path: program.path), "DWARF")
        #expect(finding.state == .partial && finding.detail.contains(".dwo not there"), "\(finding)")
        #expect(finding.cure?.contains("-gsplit-dwarf") == true)
    }

    @Test func theCommonFileOfSeveralImagesIsNamed() throws {
        let folder = try TemporaryFolder()
        let source = "#include <string>\nint main(int c, char **v) { return (int)std::string(v[0]).size() + c; }\n"
        let one = try CompiledProgram.build(
            "one", source: source, extension: "cc", compiler: "g++", flags: ["-g"], in: folder)
        let (two, common) = (folder.path + "/two", folder.path + "/common.dwz")
        try FileManager.default.copyItem(atPath: one, toPath: two)
        try CompiledProgram.tool("dwz", ["-m", common, one, two])
        let whole = ImageCheck(path: one)
        #expect(try item(whole, "DWARF").state == .ok, "\(whole.text)")
        #expect(whole.identity?.altLinkBuildID == (try ELFIdentifier.identify(path: common).buildID))
        try FileManager.default.removeItem(atPath: common)
        let finding = try item(ImageCheck(path: one), "DWARF")
        #expect(finding.state == .partial && finding.detail.contains("common.dwz (build id "), "\(finding)")
    }

    /// A compiler's name in a stranger's file is no word for the terminal.
    @Test func whatAFileSaysDoesNotSpeakToTheTerminal() throws {
        let program = try SmallProgram()
        var data = try Data(contentsOf: URL(filePath: program.path))
        let name = try #require(data.firstRange(of: Data("GNU C".utf8)))
        data.replaceSubrange(name, with: Data("\u{1b}[31m".utf8))
        try data.write(to: URL(filePath: program.path))
        let text = ImageCheck(path: program.path).text
        #expect(text.contains("[31m") && !text.contains("\u{1b}"))
    }
}
