// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Symbolication
import TestSupport

/// How well our answers agree with the reference over many addresses of one file.
struct Agreement {
    private(set) var total = 0
    private(set) var same = 0
    /// Differences that are explained: the physical function under another of its names.
    private(set) var aliases = 0
    /// The reference names a file, without a line, from the symbol table's file marks; we name none.
    private(set) var guessedFiles = 0
    private(set) var differences: [String] = []
    /// Answers with a line, so that a comparison of nothing is seen.
    private(set) var withLines = 0
    private(set) var withInlines = 0

    var ratio: Double { total == 0 ? 0 : Double(same + aliases + guessedFiles) / Double(total) }

    var summary: String {
        "\(total) addresses: \(same) the same, \(aliases) aliases, \(guessedFiles) guessed files, "
            + "\(differences.count) different; \(withLines) with a line, \(withInlines) with inlined calls"
    }

    init(file: String, count: Int, seed: UInt64 = 1, reference: String? = nil) throws {
        let addresses = try Self.addresses(file, count: count, seed: seed)
        let expected = try ReferenceSymbolizer.lookup(reference ?? file, addresses)
        let debugFile = try DebugFile(path: file)
        let symbols = try Self.symbols(reference ?? file)
        let renderer = LookupRenderer(demangle: false)
        guard expected.count == addresses.count else {
            throw ChildProcess.Failure(description: "\(expected.count) answers for \(addresses.count) addresses")
        }
        for (address, wanted) in zip(addresses, expected) {
            let frames = debugFile.lookup(address: address)
            let got = ReferenceSymbolizer.parse(renderer.text(frames)).first ?? []
            record(address, got, wanted, symbols)
            if frames.contains(where: \.hasLine) { withLines += 1 }
            if frames.count > 1 { withInlines += 1 }
        }
    }

    private mutating func record(
        _ address: UInt64, _ got: [ReferenceSymbolizer.Level], _ wanted: [ReferenceSymbolizer.Level],
        _ symbols: [String: UInt64]
    ) {
        total += 1
        if got == wanted {
            same += 1
        } else if differOnlyInAlias(got, wanted, symbols) {
            aliases += 1
        } else if got.count == 1, wanted.count == 1, got[0].name == wanted[0].name, got[0].place == "??:0:0",
            wanted[0].place.hasSuffix(":0:0")
        {
            guessedFiles += 1
        } else {
            differences.append("0x\(String(address, radix: 16)):\n  ours \(got)\n  reference \(wanted)")
        }
    }

    /// The reference names the physical function by the symbol table, we by the DWARF: there constructors have two names,
    /// clones (`f.cold`, `f.isra.0`) one of their own, and folded functions several.
    private func differOnlyInAlias(
        _ got: [ReferenceSymbolizer.Level], _ wanted: [ReferenceSymbolizer.Level], _ symbols: [String: UInt64]
    ) -> Bool {
        guard got.count == wanted.count, got.dropLast() == wanted.dropLast(), let ours = got.last,
            let theirs = wanted.last,
            ours.place == theirs.place
        else { return false }
        if Self.base(ours.name) == Self.base(theirs.name) { return true }
        if let one = symbols[ours.name], one == symbols[theirs.name] { return true }
        return Demangler.readable(Self.base(ours.name)) == Demangler.readable(Self.base(theirs.name))
    }

    /// Without the clone's suffix, constructors and destructors of all kinds alike.
    private static func base(_ name: String) -> String {
        String(name.prefix { $0 != "." }).replacing(/([CD])[0-5](?=[EI])/) { String($0.1) }
    }

    private static func symbols(_ file: String) throws -> [String: UInt64] {
        var result: [String: UInt64] = [:]
        for line in try CompiledProgram.tool("nm", [file]).split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 3, let address = UInt64(parts[0], radix: 16) { result[String(parts[2])] = address }
        }
        return result
    }

    /// Addresses all over the code, the same for the same seed.
    static func addresses(_ file: String, count: Int, seed: UInt64) throws -> [UInt64] {
        let sections = try ELFFile(path: file).sections.filter { $0.isExecutable && $0.name == ".text" }
        guard let text = sections.first, text.size > 0 else {
            throw ChildProcess.Failure(description: "\(file) has no .text")
        }
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in text.address + UInt64.random(in: 0..<text.size, using: &random) }
    }
}
