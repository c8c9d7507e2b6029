// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc

/// Names the stubs of a file's procedure linkage table, which neither debug information nor symbols cover: `puts@plt`.
struct LinkageStubs {
    private let file: DebugSections

    private static let sections: Set<String> = [".plt", ".plt.sec", ".plt.got", ".iplt"]
    private static let longestName = 8192

    init(_ file: DebugSections) {
        self.file = file
    }

    /// The name of the stub at a linked address; nil for other code, and for what the linker puts before the stubs.
    func name(at address: UInt64) -> String? {
        guard file.identity.bits == 64,
            let section = file.sections.first(where: {
                $0.isExecutable && Self.sections.contains($0.name) && address &- $0.address < $0.size
            }), let code = file.raw(section)
        else { return nil }
        let stub = Code(bytes: code, address: section.address)
        let slot =
            switch file.identity.machine {
            case "x86_64": stub.slotOnX86(address)
            case "arm64": stub.slotOnARM(address)
            default: UInt64?.none
            }
        return slot.flatMap(function(bound:)).map { $0 + "@plt" }
    }

    /// The function whose address the dynamic linker writes to a slot.
    private func function(bound slot: UInt64) -> String? {
        for section in file.sections where section.type == UInt32(SHT_RELA) && section.isAllocated {
            guard let relocations = file.raw(section) else { continue }
            let size = MemoryLayout<Elf64_Rela>.size
            for offset in stride(from: 0, through: relocations.count - size, by: size) {
                let relocation = relocations.loadUnaligned(fromByteOffset: offset, as: Elf64_Rela.self)
                if relocation.r_offset == slot { return symbol(Int(relocation.r_info >> 32), of: section.link) }
            }
        }
        return nil
    }

    private func symbol(_ number: Int, of table: Int) -> String? {
        guard let symbols = file.sections.first(where: { $0.index == table }), let entries = file.raw(symbols),
            let strings = file.sections.first(where: { $0.index == symbols.link }), let texts = file.raw(strings)
        else { return nil }
        let size = MemoryLayout<Elf64_Sym>.size
        guard number > 0, number < entries.count / size else { return nil }
        let name = Int(entries.loadUnaligned(fromByteOffset: number * size, as: Elf64_Sym.self).st_name)
        guard name < texts.count else { return nil }
        let bytes = texts[name...].prefix(Self.longestName).prefix { $0 != 0 }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// The instructions of stubs.
private struct Code {
    let bytes: UnsafeRawBufferPointer
    let address: UInt64

    /// `jmp *slot(%rip)`, in the sixteen bytes that hold the address; behind `endbr64` where branches are tracked.
    func slotOnX86(_ address: UInt64) -> UInt64? {
        let start = Int(address - self.address) & ~15
        for offset in start..<start + 10 where offset + 6 <= bytes.count {
            guard bytes[offset] == 0xff, bytes[offset + 1] == 0x25 else { continue }
            let distance = Int64(bytes.loadUnaligned(fromByteOffset: offset + 2, as: Int32.self))
            return self.address &+ UInt64(offset + 6) &+ UInt64(bitPattern: distance)
        }
        return nil
    }

    /// `adrp x16, slot; ldr x17, [x16, #slot]`, at or before the address; behind `bti c` where branches are tracked.
    func slotOnARM(_ address: UInt64) -> UInt64? {
        var here = Int(address - self.address) & ~3
        guard here + 4 <= bytes.count else { return nil }
        if bytes.loadUnaligned(fromByteOffset: here, as: UInt32.self) == 0xd503_245f { here += 4 }
        for offset in stride(from: here, through: max(0, here - 12), by: -4) where offset + 8 <= bytes.count {
            let page = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let load = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            guard page & 0x9f00_001f == 0x9000_0010, load & 0xffc0_03ff == 0xf940_0211 else { continue }
            let pages = Int64(Int32(bitPattern: (page >> 5 & 0x7ffff) << 13) >> 11) | Int64(page >> 29 & 3)
            let base = (self.address &+ UInt64(offset)) & ~0xfff
            return base &+ UInt64(bitPattern: pages << 12) &+ UInt64(load >> 10 & 0xfff) * 8
        }
        return nil
    }
}
