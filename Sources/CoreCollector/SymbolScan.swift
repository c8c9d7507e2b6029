// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile

/// Looks for one symbol in an ELF file's tables, piece by piece: the tables of a large program would not fit what this
/// process may use.
struct SymbolScan {
    private static let mostSections: UInt16 = 20_000
    private static let step = 2048
    private static let windowBytes = 16 << 10
    private static let symbolBytes = MemoryLayout<Elf64_Sym>.size
    private static let sectionBytes = MemoryLayout<Elf64_Shdr>.size
    private static let timeLimit = Duration.seconds(2)

    private let descriptor: Int32
    private let wanted: [UInt8]
    private let deadline = ContinuousClock.now + timeLimit
    private var window: (offset: UInt64, bytes: [UInt8]) = (0, [])

    private init(_ name: String, _ descriptor: Int32) {
        self.descriptor = descriptor
        wanted = Array(name.utf8) + [0]
    }

    /// A defined symbol of that name for which `isRight`; nil where there is none.
    static func symbol(
        _ name: String, descriptor: Int32, headers: ElfHeaders, where isRight: (Elf64_Sym) -> Bool
    ) -> Elf64_Sym? {
        var scan = SymbolScan(name, descriptor)
        for table in scan.tables(headers.header) {
            if let found = scan.find(in: table.symbols, names: table.names, where: isRight) { return found }
        }
        return nil
    }

    /// The tables of symbols with their tables of names, the dynamic linker's first.
    private func tables(_ header: Elf64_Ehdr) -> [(symbols: Elf64_Shdr, names: Elf64_Shdr)] {
        guard Int(header.e_shentsize) == Self.sectionBytes else { return [] }
        let count = Int(min(header.e_shnum, Self.mostSections))
        let bytes = ElfHeaders.bytes(descriptor, header.e_shoff, count * Self.sectionBytes)
        let sections = (0..<count).compactMap { bytes.value(Elf64_Shdr.self, at: $0 * Self.sectionBytes) }
        return [SHT_DYNSYM, SHT_SYMTAB].flatMap { type in
            sections.filter { $0.sh_type == UInt32(type) && Int($0.sh_link) < sections.count }
                .map { ($0, sections[Int($0.sh_link)]) }
        }
    }

    private mutating func find(
        in table: Elf64_Shdr, names: Elf64_Shdr, where isRight: (Elf64_Sym) -> Bool
    ) -> Elf64_Sym? {
        var done: UInt64 = 0
        while done < table.sh_size, ContinuousClock.now < deadline {
            let bytes = ElfHeaders.bytes(
                descriptor, table.sh_offset &+ done,
                min(Self.step * Self.symbolBytes, Int(clamping: table.sh_size - done)))
            let count = bytes.count / Self.symbolBytes
            guard count > 0 else { return nil }
            for index in 0..<count {
                guard let symbol = bytes.value(Elf64_Sym.self, at: index * Self.symbolBytes),
                    symbol.st_shndx != 0, isRight(symbol), UInt64(symbol.st_name) < names.sh_size,
                    isNamed(at: names.sh_offset &+ UInt64(symbol.st_name))
                else { continue }
                return symbol
            }
            done += UInt64(count * Self.symbolBytes)
        }
        return nil
    }

    private mutating func isNamed(at offset: UInt64) -> Bool {
        let end = window.offset &+ UInt64(window.bytes.count)
        if offset < window.offset || offset >= end || end - offset < UInt64(wanted.count) {
            window = (offset, ElfHeaders.bytes(descriptor, offset, Self.windowBytes))
        }
        return window.bytes.dropFirst(Int(offset - window.offset)).starts(with: wanted)
    }
}
