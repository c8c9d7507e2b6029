// SPDX-License-Identifier: Apache-2.0
import CElfutils
import DebugImages

/// The functions of a file's symbol table (`.symtab`, else `.dynsym`) by address.
struct SymbolTable {
    private struct Entry {
        var address: UInt64
        var size: UInt64
        /// Offset of the name in its string table.
        var name: Int
        /// How well it names the code: functions over labels, global over weak over local.
        var rank: UInt8
    }

    private var entries: [Entry] = []
    private let code: CodeMap
    private let file: ELFFile
    private let strings: Int

    /// Not thread-safe, as the file is not.
    init(_ file: ELFFile, code: CodeMap) {
        self.file = file
        self.code = code
        let tables = [UInt32(SHT_SYMTAB), UInt32(SHT_DYNSYM)].compactMap { type in
            file.sections.first { $0.type == type && !$0.isEmpty }
        }
        strings = tables.first?.link ?? 0
        if let table = tables.first { entries = read(table) }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The best name for the code at an address, without its version.
    func name(at address: UInt64) -> String? {
        guard let entry = entry(at: address), let text = elf_strptr(file.handle, strings, entry.name) else {
            return nil
        }
        let name = String(cString: text)
        return name.firstIndex(of: "@").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
    }

    private func entry(at address: UInt64) -> Entry? {
        var index = entries.upperBound { $0.address <= address }
        var nearest: Entry?
        // A sized function may begin a few labels or aliases before the nearest one.
        for _ in 0..<32 where index > 0 {
            index -= 1
            let entry = entries[index]
            if entry.size > 0 {
                if address - entry.address < entry.size { return entry }
                // Hand-written functions without a size reach to the next symbol; padding after a sized one does not count.
                if nearest == nil { return nil }
            } else if nearest == nil, let end = code.end(after: entry.address), address < end {
                nearest = entry
            }
        }
        return nearest
    }

    private func read(_ table: ELFSection) -> [Entry] {
        guard let scn = elf_getscn(file.handle, table.index), let data = elf_getdata(scn, nil), table.entrySize > 0
        else { return [] }
        var found: [Entry] = []
        for index in 0..<Int32(clamping: UInt64(data.pointee.d_size) / table.entrySize) {
            var symbol = GElf_Sym()
            guard gelf_getsym(data, index, &symbol) != nil else { break }
            guard let rank = rank(symbol), code.isCode(symbol.st_value) else { continue }
            found.append(
                Entry(address: symbol.st_value, size: symbol.st_size, name: Int(symbol.st_name), rank: rank))
        }
        return best(of: found)
    }

    /// One entry an address: the best ranked, then the one with a size, then the first.
    private func best(of found: [Entry]) -> [Entry] {
        let sorted = found.enumerated().sorted { one, other in
            let (a, b) = (one.element, other.element)
            if a.address != b.address { return a.address < b.address }
            if (a.size > 0) != (b.size > 0) { return a.size > 0 }
            return a.rank != b.rank ? a.rank > b.rank : one.offset < other.offset
        }
        var result: [Entry] = []
        for (_, entry) in sorted where result.last?.address != entry.address { result.append(entry) }
        return result
    }

    /// Nil for what names no code: data, files, sections, undefined symbols, assembler's own labels.
    private func rank(_ symbol: GElf_Sym) -> UInt8? {
        guard symbol.st_shndx != UInt16(SHN_UNDEF), symbol.st_name != 0 else { return nil }
        var rank: UInt8
        switch Int32(symbol.st_info & 0xF) {
        case STT_FUNC, STT_GNU_IFUNC: rank = 8
        case STT_NOTYPE where !isMark(symbol): rank = 0
        default: return nil
        }
        switch Int32(symbol.st_info >> 4) {
        case STB_GLOBAL: rank += 2
        case STB_WEAK: rank += 1
        default: break
        }
        return rank
    }

    /// `.L…` labels and arm64's `$x`, `$d` mapping symbols.
    private func isMark(_ symbol: GElf_Sym) -> Bool {
        guard let text = elf_strptr(file.handle, strings, Int(symbol.st_name)) else { return true }
        let first = UInt8(bitPattern: text[0])
        let second = first == 0 ? 0 : UInt8(bitPattern: text[1])
        let third = second == 0 ? 0 : UInt8(bitPattern: text[2])
        if first == UInt8(ascii: "."), second == UInt8(ascii: "L") { return true }
        return first == UInt8(ascii: "$") && (second == UInt8(ascii: "x") || second == UInt8(ascii: "d"))
            && (third == 0 || third == UInt8(ascii: "."))
    }
}
