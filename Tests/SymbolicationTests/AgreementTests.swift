// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing

/// Every function, file, line and column at every level, compared with the toolchain's `llvm-symbolizer`.
@Suite(.enabled(if: ReferenceSymbolizer.path != nil, "needs the llvm-symbolizer of the Swift toolchain"))
struct AgreementTests {
    struct Variant: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var source: String
        var ext: String
        var compiler: String
        var flags: [String]

        init(_ name: String, _ source: String, _ ext: String, _ compiler: String, _ flags: [String]) {
            (testDescription, self.source, self.ext, self.compiler, self.flags) = (name, source, ext, compiler, flags)
        }
    }

    static let cxx: [Variant] = [
        Variant("g++ DWARF 4", SamplePrograms.cxx, "cc", "g++", ["-O2", "-gdwarf-4"]),
        Variant("g++ DWARF 5", SamplePrograms.cxx, "cc", "g++", ["-O2", "-gdwarf-5", "-DLARGE"]),
        Variant("g++ DWARF 3, not optimised", SamplePrograms.cxx, "cc", "g++", ["-O0", "-gdwarf-3", "-gstrict-dwarf"]),
        Variant("g++ 64-bit DWARF 5", SamplePrograms.cxx, "cc", "g++", ["-O1", "-gdwarf-5", "-gdwarf64"]),
        Variant("g++ zlib", SamplePrograms.cxx, "cc", "g++", ["-O2", "-g", "-gz=zlib"]),
        Variant(
            "g++ sections collected", SamplePrograms.cxx, "cc", "g++",
            ["-O2", "-g", "-ffunction-sections", "-Wl,--gc-sections"]),
        Variant("g++ non-PIE", SamplePrograms.cxx, "cc", "g++", ["-O2", "-g", "-no-pie", "-Wl,--build-id=none"]),
        Variant("g++ type units", SamplePrograms.cxx, "cc", "g++", ["-O2", "-g", "-fdebug-types-section"]),
        Variant("g++ LTO", SamplePrograms.cxx, "cc", "g++", ["-O2", "-g", "-flto"]),
        Variant("g++ -g1", SamplePrograms.cxx, "cc", "g++", ["-O2", "-g1"]),
        Variant("g++ hot and cold", SamplePrograms.cxx, "cc", "g++", ["-O2", "-g", "-freorder-blocks-and-partition"]),
        Variant(
            "clang++ 64-bit DWARF 5", SamplePrograms.cxx, "cc", "clang++",
            ["-O2", "-gdwarf-5", "-gdwarf64", "-fuse-ld=lld"]),
        Variant("clang++ zlib", SamplePrograms.cxx, "cc", "clang++", ["-O2", "-g", "-gz=zlib", "-fuse-ld=lld"]),
        Variant(
            "clang++ type units", SamplePrograms.cxx, "cc", "clang++",
            ["-O2", "-g", "-fdebug-types-section", "-fuse-ld=lld"]),
        Variant("clang++ -g1", SamplePrograms.cxx, "cc", "clang++", ["-O2", "-g1", "-fuse-ld=lld"]),
        Variant("clang++ LTO", SamplePrograms.cxx, "cc", "clang++", ["-O2", "-g", "-flto", "-fuse-ld=lld"]),
        Variant(
            "clang++ image base", SamplePrograms.cxx, "cc", "clang++",
            ["-O2", "-g", "-no-pie", "-fuse-ld=lld", "-Wl,--image-base=0x200000"]),
        Variant(
            "clang++ names and aranges", SamplePrograms.cxx, "cc", "clang++",
            ["-O2", "-g", "-gpubnames", "-gdwarf-aranges", "-fuse-ld=lld"]),
        Variant("clang++ DWARF 4", SamplePrograms.cxx, "cc", "clang++", ["-O2", "-gdwarf-4"]),
        Variant(
            "clang++ DWARF 5 lld", SamplePrograms.cxx, "cc", "clang++", ["-O2", "-gdwarf-5", "-fuse-ld=lld"]),
        Variant(
            "clang++ ICF", SamplePrograms.cxx, "cc", "clang++",
            ["-O2", "-gdwarf-5", "-fuse-ld=lld", "-ffunction-sections", "-Wl,--icf=all", "-DLARGE"]),
    ]

    static let others: [Variant] = [
        Variant("swiftc -O", SamplePrograms.swift, "swift", "swiftc", ["-O", "-g", "-parse-as-library"]),
        Variant(
            "swiftc -O DWARF 5", SamplePrograms.swift, "swift", "swiftc",
            ["-O", "-g", "-dwarf-version=5", "-parse-as-library"]),
        Variant("swiftc -Osize", SamplePrograms.swift, "swift", "swiftc", ["-Osize", "-g", "-parse-as-library"]),
        Variant("swiftc -Onone", SamplePrograms.swift, "swift", "swiftc", ["-Onone", "-g", "-parse-as-library"]),
        Variant("gcc for arm64", SamplePrograms.c, "c", "aarch64-linux-gnu-gcc", ["-O2", "-g"]),
        Variant("rustc", SamplePrograms.rust, "rs", "rustc", ["-O", "-g"]),
        Variant("rustc packed", SamplePrograms.rust, "rs", "rustc", ["-O", "-g", "-Csplit-debuginfo=packed"]),
        Variant("rustc unpacked", SamplePrograms.rust, "rs", "rustc", ["-O", "-g", "-Csplit-debuginfo=unpacked"]),
        Variant(
            "rustc DWARF 5 v0 names", SamplePrograms.rust, "rs", "rustc",
            ["-O", "-g", "-Zunstable-options", "-Cdebuginfo=2", "-Csymbol-mangling-version=v0"]),
    ]

    @Test(arguments: cxx + others)
    func agree(_ variant: Variant) throws {
        guard try ChildProcess.run("which", [variant.compiler]).status == .exited(0) else { return }
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "prog", source: variant.source, extension: variant.ext, compiler: variant.compiler, flags: variant.flags,
            in: folder)
        let agreement = try Agreement(file: program, count: 500)
        #expect(
            agreement.ratio >= 0.99, "\(agreement.summary)\n\(agreement.differences.prefix(5).joined(separator: "\n"))")
        #expect(agreement.withLines > 100)
    }

    @Test(arguments: ["swift-package", "wasmkit"])
    func toolchain(name: String) throws {
        let symbolizer = try #require(ReferenceSymbolizer.path)
        let file = String(symbolizer.dropLast("llvm-symbolizer".count)) + name
        guard FileManager.default.fileExists(atPath: file) else { return }
        let agreement = try Agreement(file: file, count: 400)
        #expect(
            agreement.ratio >= 0.99, "\(agreement.summary)\n\(agreement.differences.prefix(5).joined(separator: "\n"))")
        #expect(agreement.withLines > 100 && agreement.withInlines > 100)
    }

    /// The reference may not read zstd; the same program without compression is the truth.
    @Test(arguments: ["gcc", "clang"])
    func zstdSections(compiler: String) throws {
        let folder = try TemporaryFolder()
        let plain = try CompiledProgram.build(
            "prog", source: SamplePrograms.c, extension: "c", compiler: compiler,
            flags: ["-O2", "-g", "-Wl,--build-id"], in: folder)
        let packed = plain + ".zstd"
        let packing = try ChildProcess.run("objcopy", ["--compress-debug-sections=zstd", plain, packed])
        guard packing.status == .exited(0) else { return }
        #expect(try ELFFile(path: packed).sections.contains { $0.isCompressed })
        let agreement = try Agreement(file: packed, count: 300, reference: plain)
        #expect(
            agreement.ratio >= 0.99, "\(agreement.summary)\n\(agreement.differences.prefix(5).joined(separator: "\n"))")
        #expect(agreement.withInlines > 30 && ImageCheck(path: packed).isComplete)
        try Self.damage(packed, times: 150)
    }

    /// Without a build id, the companion is known by the link and its checksum.
    @Test func debugLinkAlone() throws {
        let folder = try TemporaryFolder()
        let flags = ["-O2", "-g", "-Wl,--build-id=none"]
        let program = try CompiledProgram.build(
            "prog", source: SamplePrograms.c, extension: "c", compiler: "gcc", flags: flags, in: folder)
        let (stripped, companion) = (program + ".stripped", program + ".debug")
        try CompiledProgram.tool("objcopy", ["--only-keep-debug", program, companion])
        try CompiledProgram.tool("objcopy", ["--strip-all", "--add-gnu-debuglink=" + companion, program, stripped])
        #expect(try SeparateDebugFile.path(for: stripped) == companion)
        #expect(try SeparateDebugFile.path(for: companion) == companion)
        let agreement = try Agreement(file: companion, count: 200, reference: program)
        #expect(agreement.ratio >= 0.99 && agreement.withInlines > 20, "\(agreement.summary)")
        try Data("another".utf8).write(to: URL(filePath: companion))
        #expect(try SeparateDebugFile.path(for: stripped) == stripped)
    }

    /// Names are those of the exported symbols, and nothing else is made up.
    @Test func exportedSymbolsAlone() throws {
        let folder = try TemporaryFolder()
        let library = try CompiledProgram.build(
            "lib.so", source: SamplePrograms.cxx, extension: "cc", compiler: "g++",
            flags: ["-O2", "-shared", "-fPIC", "-s"], in: folder)
        let file = try DebugFile(path: library)
        let addresses = try Agreement.addresses(library, count: 300, seed: 1)
        let expected = try ReferenceSymbolizer.lookup(library, addresses)
        var named = 0
        for (address, wanted) in zip(addresses, expected) {
            guard let symbol = file.symbol(at: address) else { continue }
            named += 1
            #expect(
                symbol == wanted.last?.name || file.otherNames(at: address).aliases.contains(wanted.last?.name ?? ""))
        }
        #expect(named > 60)
        #expect(addresses.allSatisfy { file.lookup(address: $0).allSatisfy { !$0.hasLine } })
    }

    /// A changed byte in a packed section is answered, be it with fewer names.
    private static func damage(_ path: String, times: Int) throws {
        let whole = try Data(contentsOf: URL(filePath: path))
        let packed = try ELFFile(path: path).sections.filter { $0.isCompressed }
        var random = SeededRandom(seed: 23)
        for _ in 0..<times {
            guard let section = packed.randomElement(using: &random) else { return }
            var copy = whole
            // The header of the packed section first: sizes and kinds are the likelier harm.
            let span = Bool.random(using: &random) ? 24 : Int(section.size)
            copy[Int(section.offset) + Int.random(in: 0..<span, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            try copy.write(to: URL(filePath: path + ".damaged"))
            let file = try? DebugFile(path: path + ".damaged")
            for address in try Agreement.addresses(path, count: 4, seed: 2) { _ = file?.lookup(address: address) }
        }
    }

    /// A file of another machine is read all the same.
    @Test(arguments: ["aarch64-linux-gnu", "x86_64-linux-gnu"], ["4", "5"])
    func otherMachines(target: String, version: String) throws {
        let folder = try TemporaryFolder()
        let flags = [
            "--target=\(target)", "-O2", "-gdwarf-\(version)", "-ffreestanding", "-nostdlib", "-static", "-fuse-ld=lld",
            "-Wl,-e,start",
        ]
        let program = try CompiledProgram.build(
            "prog", source: SamplePrograms.freestanding, extension: "c", compiler: "clang", flags: flags, in: folder)
        let agreement = try Agreement(file: program, count: 300)
        #expect(
            agreement.same == 300, "\(agreement.summary)\n\(agreement.differences.prefix(5).joined(separator: "\n"))")
        #expect(agreement.withInlines > 60)
        let machine = try ELFIdentifier.identify(path: program).machine
        #expect(machine == (target.hasPrefix("aarch64") ? "arm64" : "x86_64"))
    }

    /// The functions are in a `.dwo` file beside the program; without it the line tables remain.
    @Test(arguments: ["4", "5"], ["gcc", "clang"])
    func splitDebugInformation(version: String, compiler: String) throws {
        let folder = try TemporaryFolder()
        let source = folder.path + "/prog.c"
        let object = folder.path + "/prog.o"
        let program = folder.path + "/prog"
        try Data(SamplePrograms.c.utf8).write(to: URL(filePath: source))
        let flags = ["-O2", "-g", "-gsplit-dwarf", "-gdwarf-\(version)", "-ggnu-pubnames", "-c", source, "-o", object]
        try CompiledProgram.tool(compiler, flags, directory: folder.path)
        try CompiledProgram.tool(compiler, [object, "-o", program])
        let agreement = try Agreement(file: program, count: 300)
        #expect(
            agreement.ratio >= 0.99, "\(agreement.summary)\n\(agreement.differences.prefix(5).joined(separator: "\n"))")
        #expect(agreement.withInlines > 30)
        #expect(try DebugFile(path: program).problem == nil)
        try FileManager.default.removeItem(atPath: folder.path + "/prog.dwo")
        let poorer = try DebugFile(path: program)
        #expect(poorer.problem?.contains("prog.dwo") == true)
        let addresses = try Agreement.addresses(program, count: 300, seed: 1)
        #expect(addresses.filter { poorer.lookup(address: $0).last?.hasLine == true }.count > 50)
    }

    /// A `.dwo` name that leads to a pipe must not block.
    @Test func splitNamesOfPipesAreNotOpened() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "prog", source: SamplePrograms.c, extension: "c", compiler: "gcc", flags: ["-O2", "-g", "-gsplit-dwarf"],
            in: folder)
        let dwo = folder.entries().first { $0.hasSuffix(".dwo") } ?? "prog-prog.dwo"
        try FileManager.default.removeItem(atPath: folder.path + "/" + dwo)
        try CompiledProgram.tool("mkfifo", [folder.path + "/" + dwo])
        #expect(try DebugFile(path: program).problem?.contains(".dwo") == true)
    }

    /// Current clang mangles constraints of templates in a way that the system's demangler may not know: then the DWARF's
    /// own names stand in.
    @Test func namesBeyondTheDemanglerAreReadable() throws {
        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "prog", source: SamplePrograms.cxx, extension: "cc", compiler: "clang++", flags: ["-O2", "-g", "-DLARGE"],
            in: folder)
        let file = try DebugFile(path: program)
        var mangled: Set<String> = []
        var levels = 0
        for address in try Agreement.addresses(program, count: 600, seed: 5) {
            for frame in file.lookup(address: address) {
                levels += 1
                if let function = frame.function, function.hasPrefix("_Z") { mangled.insert(function) }
                if frame.symbol?.contains("4pairIccEC2IccTn") == true {
                    #expect(frame.function?.hasPrefix("std::pair<char, char>::pair<char, char, ") == true)
                }
            }
        }
        #expect(levels > 1000 && mangled.isEmpty, "\(mangled)")
    }
}
