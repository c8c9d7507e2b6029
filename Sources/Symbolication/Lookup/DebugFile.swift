// SPDX-License-Identifier: Apache-2.0
package import DebugImages

/// One ELF file with whatever it has to name addresses: DWARF, else its symbol table.
///
/// The units are indexed when it is opened; each unit's functions and lines are read at the first address that lies in it.
/// Not thread-safe: use one on each thread, or a lock.
package final class DebugFile {
    package let identity: ELFIdentity
    package let path: String

    private let file: ELFFile
    private let code: CodeMap
    private let dwarf: DWARFInfo?
    private lazy var symbols = SymbolTable(file, code: code)
    /// The names that a stripped file's own table lacks.
    private lazy var packedSymbols =
        identity.hasSymbolTable ? nil : file.miniDebugInfo().map { SymbolTable($0, code: code) }

    /// Throws for what is no ELF file, or one without addresses to look up.
    package init(path: String) throws(DebugImageError) {
        file = try ELFFile(path: path, mapped: true)
        self.path = path
        identity = ELFIdentifier.identity(of: file)
        guard identity.fileType == .executable || identity.fileType == .shared else {
            throw DebugImageError(
                .unsupported, path: path,
                "is \(identity.fileType == .relocatable ? "an object file, not linked yet" : "no program or library"); "
                    + "name the linked program, library or its .debug file")
        }
        code = CodeMap(file)
        dwarf = identity.hasDebugInfo ? DWARFInfo(file, code: code) : nil
    }

    /// The file has DWARF that could be read.
    package var hasDebugInfo: Bool { dwarf != nil }

    package var hasSymbols: Bool { !symbols.isEmpty || packedSymbols?.isEmpty == false }

    /// What keeps the file from saying more; nil when nothing does.
    package var problem: String? {
        if identity.hasDebugInfo, dwarf == nil {
            let sections = identity.unreadableSections.joined(separator: ", ")
            return sections.isEmpty
                ? "its DWARF is damaged"
                : "\(sections): compressed in a way that is not read; run objcopy --decompress-debug-sections"
        }
        guard let missing = dwarf?.missingSplitFiles, let first = missing.first else { return nil }
        return "its debug information was split off and \(first) is not there; keep the .dwo files beside it"
    }

    /// The levels at an address as linked, innermost first; empty when nothing is known of it.
    ///
    /// - Parameters:
    ///   - inlines: false asks for the physical function with the innermost line only.
    ///   - nearestLines: where code has no line of its own, use that of the nearest code of the same function and say so.
    package func lookup(address: UInt64, inlines: Bool = true, nearestLines: Bool = false) -> [LookupFrame] {
        guard code.isCode(address) else { return [] }
        var frames: [LookupFrame] = []
        for unit in dwarf?.units(at: address) ?? [] {
            let lookup = UnitLookup(unit: unit, address: address, inlines: inlines, nearestLines: nearestLines)
            let found = lookup.frames()
            if let last = found.last, last.symbol != nil || frames.isEmpty { frames = found }
            if frames.last?.symbol != nil { break }
        }
        return completed(frames, address)
    }

    /// The name of the code at an address by the symbol table alone.
    package func symbol(at address: UInt64) -> String? {
        symbols.name(at: address) ?? packedSymbols?.name(at: address)
    }

    /// Fills in from the symbol table what the DWARF does not name.
    private func completed(_ frames: [LookupFrame], _ address: UInt64) -> [LookupFrame] {
        guard var last = frames.last else {
            return symbol(at: address).map { name in
                [LookupFrame(symbol: name, function: Demangler.readable(name), notes: [LookupFrame.symbolTable])]
            } ?? []
        }
        // A plain name where the language mangles: the symbol table knows more (gcc and clang at -g1).
        let isPlain = last.symbol.map { !Demangler.isMangled($0) } ?? true
        if isPlain, let name = symbol(at: address), last.symbol == nil || completes(name, last.symbol ?? "") {
            last.symbol = name
            last.function = Demangler.readable(name)
        }
        return frames.dropLast() + [last]
    }

    private func completes(_ linkageName: String, _ name: String) -> Bool {
        guard Demangler.isMangled(linkageName) else { return false }
        if name.hasPrefix("operator") || name.hasPrefix("~") { return true }
        let base = name.prefix { $0 != "<" }
        return linkageName.contains("\(base.utf8.count)\(base)")
    }
}
