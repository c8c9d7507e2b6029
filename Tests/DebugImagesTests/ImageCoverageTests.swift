// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import TestSupport
import Testing

/// What share of the code is spoken of, against binutils' word for it.
@Suite struct ImageCoverageTests {
    private static func hex(_ text: some StringProtocol) -> UInt64 { UInt64(text, radix: 16) ?? 0 }

    /// The sizes of the program's own functions by its symbol table.
    private static func ownCode(_ path: String) throws -> UInt64 {
        try CompiledProgram.tool("nm", ["-S", path]).split(separator: "\n").map { $0.split(separator: " ") }
            .filter { $0.count == 4 && ["main", "helper"].contains($0[3]) }.reduce(0) { $0 + hex($1[1]) }
    }

    private static func text(_ path: String) throws -> Range<UInt64> {
        let line = try CompiledProgram.tool("objdump", ["-h", path]).split(separator: "\n").map {
            $0.split(separator: " ")
        }
        .first { $0.count > 3 && $0[1] == ".text" }
        let words = try #require(line)
        return hex(words[3])..<hex(words[3]) + hex(words[2])
    }

    /// Bytes of `.text` in frame descriptions, as readelf prints them: `pc=0000000000001020..0000000000001040`.
    private static func described(_ path: String, within text: Range<UInt64>) throws -> UInt64 {
        // Its status tells of other sections, too.
        let words = try ChildProcess.run("readelf", ["--debug-dump=frames", path], seconds: 60).output.split(
            whereSeparator: \.isWhitespace)
        var addresses: Set<UInt64> = []
        for word in words where word.hasPrefix("pc=") {
            let ends = word.dropFirst(3).split(separator: ".")
            addresses.formUnion((hex(ends[0])..<hex(ends[1])).filter(text.contains))
        }
        return UInt64(addresses.count)
    }

    @Test(arguments: ["gcc", "clang"], [["-gdwarf-4"], ["-gdwarf-5"], ["-g", "-m32", "-nostdlib", "-Wl,-e,main"]])
    func whatIsCovered(compiler: String, flags: [String]) throws {
        let folder = try TemporaryFolder()
        let program: String
        do {
            program = try CompiledProgram.build(
                "prog", source: SmallProgram.source, extension: "c", compiler: compiler, flags: flags + ["-O0"],
                in: folder)
        } catch  where flags.contains("-m32") {
            return  // not every machine has what 32-bit programs are linked with
        }
        let text = try Self.text(program)
        let coverage = try #require(ImageCoverage(path: program))
        #expect(coverage.text == UInt64(text.count))
        let own = try Self.ownCode(program)
        // clang counts what it filled up between two functions as its unit's.
        #expect(coverage.functions == own, "\(coverage)")
        for part in [coverage.units, coverage.lines] { #expect((own..<own + 16).contains(try #require(part))) }
        #expect(try coverage.ehFrame == Self.described(program, within: text))
    }

    @Test func frameDescriptionsOfTheSystemsLibrary() throws {
        let libc = try #require(
            ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/libc.so.6" }.first(
                where: FileManager.default.fileExists))
        let text = try Self.text(libc)
        let coverage = try #require(ImageCoverage(path: libc))
        #expect(try coverage.ehFrame == Self.described(libc, within: text))
        #expect(coverage.lines == nil && coverage.functions == nil)
    }

    @Test func debugFramesCount() throws {
        let program = try SmallProgram(flags: [
            "-g", "-O1", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables",
        ])
        let coverage = try #require(ImageCoverage(path: program.path))
        #expect(try coverage.debugFrame == Self.ownCode(program.path))
    }

    @Test(arguments: ["zlib", "zstd", "zlib-gnu"])
    func compressedSectionsSayTheSame(way: String) throws {
        let program = try SmallProgram()
        let packed = program.folder.path + "/packed"
        let packing = try ChildProcess.run("objcopy", ["--compress-debug-sections=\(way)", program.path, packed])
        guard packing.status == .exited(0) else { return }  // an older binutils, without zstd
        let check = ImageCheck(path: packed)
        #expect(check.coverage == ImageCoverage(path: program.path))
        #expect(check.items.first { $0.name == "DWARF" }?.detail.hasSuffix("compressed (\(way))") == true)
        #expect(check.isComplete, "\(check.text)")
    }

    @Test func theRangesOfLinesNobodyHasAreNotCounted() throws {
        let program = try SmallProgram()
        let damaged = program.folder.path + "/damaged"
        try ImageDamage.section(".debug_line", of: program.path, to: damaged, filledWith: 0xff)
        let coverage = try #require(ImageCoverage(path: damaged))
        #expect(coverage.lines == 0 && coverage.functions ?? 0 > 0)
        #expect(ImageCheck(path: damaged).items.first { $0.name == "lines" }?.state == .missing)
    }
}
