// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// The functions of one ELF file's symbol table by linked address.
struct FunctionSymbols {
    struct Function {
        var address: UInt64
        var name: String
    }

    private static let maximumSymbols = 4_000_000

    /// By address; names are read when they are asked for.
    private let entries: [(address: UInt64, size: UInt64, name: UInt32)]
    private let handle: OpaquePointer
    private let strings: Int

    /// From `.symtab`, or `.dynsym` where there is none. Points into `handle`, which must outlive it.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        guard let (section, header) = Self.symbolSection(handle), let data = elf_getdata(section, nil) else {
            entries = []
            strings = 0
            return
        }
        strings = Int(header.sh_link)
        var entries: [(address: UInt64, size: UInt64, name: UInt32)] = []
        let count = min(Int(clamping: header.sh_size) / MemoryLayout<Elf64_Sym>.size, Self.maximumSymbols)
        for index in 0..<count {
            var symbol = GElf_Sym()
            guard gelf_getsym(data, Int32(index), &symbol) != nil else { break }
            let isFunction = Int(symbol.st_info & 0xf) == Int(STT_FUNC)
            guard isFunction, symbol.st_shndx != UInt16(SHN_UNDEF) else { continue }
            entries.append((symbol.st_value, symbol.st_size, symbol.st_name))
        }
        self.entries = entries.sorted { $0.address < $1.address }
    }

    /// The function that holds a linked address.
    func function(at linked: UInt64) -> Function? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].address <= linked { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        let isInside = linked == entry.address || linked - entry.address < entry.size
        guard isInside, let text = elf_strptr(handle, strings, Int(entry.name)) else { return nil }
        return Function(address: entry.address, name: String(cString: text))
    }

    private static func symbolSection(_ handle: OpaquePointer) -> (OpaquePointer, GElf_Shdr)? {
        var dynamic: (OpaquePointer, GElf_Shdr)?
        var section: OpaquePointer?
        while let next = elf_nextscn(handle, section) {
            section = next
            var header = GElf_Shdr()
            guard gelf_getshdr(next, &header) != nil else { continue }
            if header.sh_type == UInt32(SHT_SYMTAB) { return (next, header) }
            if header.sh_type == UInt32(SHT_DYNSYM) { dynamic = (next, header) }
        }
        return dynamic
    }
}
