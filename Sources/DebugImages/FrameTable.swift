// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// The addresses that a section of call frame information describes (DWARF 5, section 6.4; LSB, "Exception Frames").
struct FrameTable {
    private(set) var ranges = AddressRanges()

    private let bytes: UnsafeRawBufferPointer
    private let address: UInt64
    private let isEHFrame: Bool
    private let pointerSize: Int
    /// How a common entry's descriptions write addresses, by its offset; nil where that is not known.
    private var encodings: [UInt64: UInt8?] = [:]

    /// Every entry has at least this many bytes.
    private static let smallestEntry = 4

    init(_ file: ELFFile, _ section: ELFSection) {
        isEHFrame = section.name == ".eh_frame"
        address = section.address
        pointerSize = file.is64Bit ? 8 : 4
        guard let scn = elf_getscn(file.handle, section.index), elf_compress(scn, 0, 0) >= 0 || !section.isCompressed,
            let data = elf_rawdata(scn, nil), let start = data.pointee.d_buf, let ident = elf_getident(file.handle, nil)
        else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        bytes = UnsafeRawBufferPointer(start: start, count: Int(data.pointee.d_size))
        ident.withMemoryRebound(to: UInt8.self, capacity: Int(EI_NIDENT)) { read(data, $0) }
    }

    private mutating func read(_ data: UnsafeMutablePointer<Elf_Data>, _ ident: UnsafePointer<UInt8>) {
        var (offset, next): (Dwarf_Off, Dwarf_Off) = (0, 0)
        for _ in 0...bytes.count / Self.smallestEntry {
            var entry = Dwarf_CFI_Entry()
            let result = dwarf_next_cfi(ident, data, isEHFrame, offset, &next, &entry)
            guard result <= 0, next > offset, next != Dwarf_Off.max else { return }
            if result == 0 {
                if entry.cie.CIE_id == Dwarf_Off.max {  // DW_CIE_ID_64
                    encodings[offset] = .some(encoding(entry.cie))
                } else if let encoding = encodings[entry.fde.CIE_pointer] ?? nil {
                    add(entry.fde, encoding)
                }
            }
            offset = next
        }
    }

    private mutating func add(_ entry: Dwarf_FDE, _ encoding: UInt8) {
        guard let base = bytes.baseAddress, let start = entry.start, let end = entry.end else { return }
        var reader = PointerReader(
            bytes: bytes, offset: start - UnsafePointer(base.assumingMemoryBound(to: UInt8.self)),
            end: end - UnsafePointer(base.assumingMemoryBound(to: UInt8.self)), address: address,
            pointerSize: pointerSize)
        // The size is written like the address, but relative to nothing.
        guard let first = reader.read(encoding), let size = reader.read(encoding & 0x0f), first > 0 else { return }
        let (last, overflow) = first.addingReportingOverflow(size)
        if !overflow { ranges.add(first..<last) }
    }

    /// The encoding by the letter `R` of the augmentation; absolute addresses where there is none.
    private func encoding(_ entry: Dwarf_CIE) -> UInt8? {
        guard isEHFrame else { return 0 }
        let letters = String(cString: entry.augmentation).utf8
        guard letters.first == UInt8(ascii: "z") else { return letters.isEmpty ? 0 : nil }
        guard let base = bytes.baseAddress, let start = entry.augmentation_data else { return nil }
        let offset = start - UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
        var reader = PointerReader(
            bytes: bytes, offset: offset, end: offset + Int(entry.augmentation_data_size), address: address,
            pointerSize: pointerSize)
        for letter in letters.dropFirst() {
            switch letter {
            case UInt8(ascii: "R"): return reader.byte()
            case UInt8(ascii: "L"): guard reader.byte() != nil else { return nil }
            case UInt8(ascii: "P"):
                guard let form = reader.byte(), reader.read(form & 0x0f) != nil else { return nil }
            case UInt8(ascii: "S"), UInt8(ascii: "B"): continue
            default: return nil
            }
        }
        return 0
    }
}
