// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Symbolication
import TestSupport
import Testing

/// Answers from a kept cache, from one in memory and from the units that were asked for.
@Suite struct SymbolCacheTests {
    private static func program(_ folder: TemporaryFolder, _ name: String = "prog") throws -> String {
        try CompiledProgram.build(
            name, source: SamplePrograms.cxx, extension: "cc", compiler: "g++", flags: ["-O2", "-g"], in: folder)
    }

    @Test func answersAreTheSameWithAndWithoutACache() throws {
        let folder = try TemporaryFolder()
        let program = try Self.program(folder)
        let caches = SymbolCacheFolder(path: folder.path)
        _ = try SymbolCacheBuild(path: program).write(to: folder.path)
        let (plain, cached) = (try DebugFile(path: program), try DebugFile(path: program, caches: caches))
        let addresses = try Agreement.addresses(program, count: 600, seed: 3)
        for address in addresses + (try Self.startUp(program)) {
            for inlines in [true, false] {
                let (one, other) = (
                    plain.lookup(address: address, inlines: inlines, nearestLines: inlines),
                    cached.lookup(address: address, inlines: inlines, nearestLines: inlines)
                )
                #expect(one == other, "0x\(String(address, radix: 16))")
            }
        }
        #expect(plain.hasDebugInfo == cached.hasDebugInfo && plain.problem == cached.problem)
    }

    /// Code that no unit has: start-up code, named by symbols alone.
    private static func startUp(_ program: String) throws -> [UInt64] {
        try ELFFile(path: program).sections.filter(\.isExecutable).flatMap { [$0.address, $0.address + $0.size / 2] }
    }

    @Test func equalFilesGiveEqualCachesHoweverManyThreads() throws {
        let folder = try TemporaryFolder()
        let program = try Self.program(folder)
        let (one, other) = try (Self.bytes(program, folder, threads: 1), Self.bytes(program, folder, threads: 7))
        #expect(one == other && one.count > 10_000)
    }

    private static func bytes(_ program: String, _ folder: TemporaryFolder, threads: Int) throws -> Data {
        let place = try SymbolCacheBuild(path: program).write(to: folder.path, threads: threads)
        return try Data(contentsOf: URL(filePath: place))
    }

    @Test func damageIsToldAndNeverEndsALookupBadly() throws {
        let folder = try TemporaryFolder()
        let program = try Self.program(folder)
        let place = try SymbolCacheBuild(path: program).write(to: folder.path)
        let whole = [UInt8](try Data(contentsOf: URL(filePath: place)))
        let addresses = try Agreement.addresses(program, count: 40, seed: 9)
        var random = SeededRandom(seed: 4)
        var (opened, found) = (0, 0)
        for _ in 0..<600 {
            var copy = whole
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                // The header has a checksum: damage in there is seen at once.
                copy[Int.random(in: 416..<copy.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let cache = try SymbolCache(bytes: copy)
            opened += 1
            if (try? cache.verify()) == nil { found += 1 }
            for address in addresses { _ = cache.names(at: address) }
        }
        #expect(opened == 600 && found > 590, "\(found) of \(opened) were seen")
    }

    @Test func whatIsNoWholeCacheIsRefusedWithItsReason() throws {
        let folder = try TemporaryFolder()
        let program = try Self.program(folder)
        let place = try SymbolCacheBuild(path: program).write(to: folder.path)
        let whole = [UInt8](try Data(contentsOf: URL(filePath: place)))
        func code(_ bytes: [UInt8]) -> SymbolCacheError.Code? {
            do {
                _ = try SymbolCache(bytes: bytes)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(whole) == nil)
        for size in [16, 100, 415, 416, whole.count / 2, whole.count - 8] {
            #expect(code(Array(whole.prefix(size))) == .truncated, "\(size) bytes")
        }
        #expect(code([]) == .notACache && code(Array("VAKASYM".utf8)) == .notACache)
        var newer = whole
        newer[8] = 200
        #expect(code(newer) == .newer)
        for place in [12, 20, 33, 70, 130, 300, 415] {
            var damaged = whole
            damaged[place] ^= 0x40
            #expect(code(damaged) == .damaged, "byte \(place)")
        }
    }

    @Test func aFolderStaysInItsBoundAndForgetsTheLeastUsed() throws {
        let folder = try TemporaryFolder()
        let caches = folder.path + "/caches"
        let programs = try (0..<3).map { try Self.program(folder, "prog\($0)") }
        let sizes = try programs.map { program in
            let place = try SymbolCacheBuild(path: program).write(to: folder.path)
            return try FileManager.default.attributesOfItem(atPath: place)[.size] as? UInt64 ?? 0
        }
        let bounded = SymbolCacheFolder(path: caches, capacity: sizes[0] + sizes[1] + 10)
        for (index, program) in programs.enumerated() {
            let file = try DebugFile(path: program, caches: bounded)
            for address in try Agreement.addresses(program, count: 3, seed: 1) { _ = file.lookup(address: address) }
            file.keepCache(afterFewAddresses: true)
            // Times of use count whole seconds.
            for name in folder.entries("caches") {
                let age = Date(timeIntervalSinceNow: Double(-100 * (3 - index)))
                try FileManager.default.setAttributes([.modificationDate: age], ofItemAtPath: caches + "/" + name)
            }
        }
        #expect(folder.entries("caches").filter { $0.hasSuffix(".vakasym") }.count == 2)
        #expect(folder.entries("caches").allSatisfy { $0.hasSuffix(".vakasym") })
    }

    /// A cache of the file as it was is not used for what it has become.
    @Test func aChangedFileIsReadAnew() throws {
        let folder = try TemporaryFolder()
        let program = try Self.program(folder)
        let caches = SymbolCacheFolder(path: folder.path)
        _ = try SymbolCacheBuild(path: program).write(to: folder.path)
        #expect(caches.cache(for: try DebugSections(path: program)) != nil)
        let earlier = Date(timeIntervalSinceNow: -50)
        try FileManager.default.setAttributes([.modificationDate: earlier], ofItemAtPath: program)
        #expect(caches.cache(for: try DebugSections(path: program)) == nil)
    }

    @Test func manyWritersLeaveOneWholeCache() async throws {
        let folder = try TemporaryFolder()
        let program = try Self.program(folder)
        let path = folder.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    guard let file = try? DebugFile(path: program, caches: SymbolCacheFolder(path: path + "/caches"))
                    else { return }
                    for address in (try? Agreement.addresses(program, count: 20, seed: 1)) ?? [] {
                        _ = file.lookup(address: address)
                    }
                    file.keepCache(afterFewAddresses: true)
                }
            }
        }
        let names = folder.entries("caches")
        #expect(names.count == 1)
        try SymbolCache(path: path + "/caches/" + (names.first ?? "")).verify()
    }

    @Test func otherNamesOfOneCodeAreNoted() throws {
        let folder = try TemporaryFolder()
        let source = """
            int twin(int x) { return x * 7 + 3; }
            extern int other(int) __attribute__((alias("twin")));
            int main(int argc, char **argv) { return twin(argc) + other(argc); }

            """
        let program = try CompiledProgram.build(
            "prog", source: source, extension: "c", compiler: "gcc", flags: ["-O0", "-g"], in: folder)
        let file = try DebugFile(path: program)
        let text = try #require(try ELFFile(path: program).sections.first { $0.name == ".text" })
        let frames = (text.address..<text.address + text.size).lazy.map { file.lookup(address: $0) }
            .first { $0.last?.symbol == "twin" }
        #expect(frames?.last?.notes == ["alias: other"])
    }

    /// What dwz moved to a common file is found there.
    @Test func commonFiles() throws {
        let folder = try TemporaryFolder()
        guard try ChildProcess.run("which", ["dwz"]).status == .exited(0) else { return }
        let programs = try (0..<2).map { try Self.program(folder, "prog\($0)") }
        let addresses = try Agreement.addresses(programs[0], count: 300, seed: 1)
        let plain = try DebugFile(path: programs[0])
        let expected = addresses.map { plain.lookup(address: $0) }
        try CompiledProgram.tool("dwz", ["-m", "common", "prog0", "prog1"], directory: folder.path)
        #expect(try DebugSections(path: programs[0]).identity.altLink == "common")
        let moved = try DebugFile(path: programs[0])
        #expect(addresses.map { moved.lookup(address: $0) } == expected)
    }

    /// A package beside the program is enough; the `.dwo` files may be gone.
    @Test(arguments: ["4", "5"], ["gcc", "clang"])
    func packageWithoutSplitFiles(version: String, compiler: String) throws {
        let folder = try TemporaryFolder()
        let packager = compiler == "gcc" ? "dwp" : "llvm-dwp"
        guard try ChildProcess.run("which", [packager]).status == .exited(0) else { return }
        let (first, second) = (folder.path + "/one.c", folder.path + "/two.c")
        try Data(SamplePrograms.c.utf8).write(to: URL(filePath: first))
        try Data("static int half(int x) { return x / 2; } int more(int x) { return half(x) * half(x + 1); }\n".utf8)
            .write(to: URL(filePath: second))
        let program = folder.path + "/prog"
        let flags = ["-O2", "-gsplit-dwarf", "-gdwarf-\(version)", "-g"]
        for source in ["one", "two"] {
            try CompiledProgram.tool(
                compiler, flags + ["-c", source + ".c", "-o", source + ".o"], directory: folder.path)
        }
        try CompiledProgram.tool(compiler, ["one.o", "two.o", "-o", "prog"], directory: folder.path)
        let addresses = try Agreement.addresses(program, count: 300, seed: 1)
        let before = try DebugFile(path: program)
        let expected = addresses.map { before.lookup(address: $0) }
        let packed = try ChildProcess.run(packager, ["-e", program, "-o", program + ".dwp"])
        // Debian's llvm-dwp may be older than the compiler's DWARF.
        guard packed.status == .exited(0) else { return }
        for name in folder.entries() where name.hasSuffix(".dwo") {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        let file = try DebugFile(path: program)
        #expect(file.problem == nil)
        #expect(addresses.map { file.lookup(address: $0) } == expected)
        #expect(expected.filter { $0.count > 1 }.count > 30)
    }
}
