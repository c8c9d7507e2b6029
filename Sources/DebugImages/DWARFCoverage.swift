// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// The addresses that the DWARF of one file speaks of.
struct DWARFCoverage {
    var units = AddressRanges()
    var functions = AddressRanges()
    var lines = AddressRanges()

    private let file: ELFFile
    private var tables: Set<UInt64> = []
    /// Entries that may still be looked at: no more than the section has bytes, whatever crafted links say.
    private var entriesLeft: UInt64
    private var rows = 0

    /// libdw keeps every line table that it read; after this many rows it begins anew.
    private static let rowsAtOnce = 1 << 20
    private static let maximumUnits = 1 << 20
    private static let maximumDepth = 128

    /// Nil where libdw finds no DWARF.
    init?(_ file: ELFFile) {
        self.file = file
        let unpacked = file.sections.filter { $0.plainName == ".debug_info" }.map(\.size).max() ?? 0
        // Compressed sections are larger unpacked, at most by what the header check allows.
        entriesLeft = max(1 << 20, unpacked) * 32
        var done = 0
        var isFirst = true
        while isFirst || rows >= Self.rowsAtOnce {
            rows = 0
            guard let dwarf = dwarf_begin_elf(file.handle, DWARF_C_READ, nil) else {
                if isFirst { return nil }
                return
            }
            done = read(dwarf, after: done)
            dwarf_end(dwarf)
            isFirst = false
        }
    }

    /// Reads units until there are none, or enough lines in memory; the number of units read so far.
    private mutating func read(_ dwarf: OpaquePointer, after skipped: Int) -> Int {
        var unit: OpaquePointer?
        var (version, type): (Dwarf_Half, UInt8) = (0, 0)
        var die = Dwarf_Die()
        var index = 0
        while index < Self.maximumUnits, rows < Self.rowsAtOnce,
            dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, nil) == 0
        {
            index += 1
            guard index > skipped, type == UInt8(DW_UT_compile) || type == UInt8(DW_UT_skeleton) else { continue }
            readLines(&die)
            addRanges(&die, to: \.units)
            readFunctions(&die, depth: 0)
        }
        return index
    }

    private mutating func addRanges(_ die: inout Dwarf_Die, to set: WritableKeyPath<DWARFCoverage, AddressRanges>) {
        var (offset, base): (Int, Dwarf_Addr) = (0, 0)
        var (start, end): (Dwarf_Addr, Dwarf_Addr) = (0, 0)
        while entriesLeft > 0 {
            offset = dwarf_ranges(&die, offset, &base, &start, &end)
            guard offset > 0 else { return }
            entriesLeft -= 1
            if start < end { self[keyPath: set].add(start..<end) }
        }
    }

    private mutating func readFunctions(_ parent: inout Dwarf_Die, depth: Int) {
        var child = Dwarf_Die()
        guard depth < Self.maximumDepth, dwarf_child(&parent, &child) == 0 else { return }
        repeat {
            guard entriesLeft > 0 else { return }
            entriesLeft -= 1
            let tag = Int(dwarf_tag(&child))
            if tag == DW_TAG_subprogram { addRanges(&child, to: \.functions) }
            if Self.mayHoldFunctions(tag) { readFunctions(&child, depth: depth + 1) }
        } while Self.advance(&child)
    }

    private static func advance(_ entry: inout Dwarf_Die) -> Bool {
        var here = entry
        return dwarf_siblingof(&here, &entry) == 0
    }

    /// Those of local types lie in functions, whose code is counted already.
    private static func mayHoldFunctions(_ tag: Int) -> Bool {
        switch tag {
        case DW_TAG_namespace, DW_TAG_module, DW_TAG_class_type, DW_TAG_structure_type, DW_TAG_union_type,
            DW_TAG_enumeration_type, DW_TAG_interface_type:
            true
        default: false
        }
    }

    private mutating func readLines(_ unit: inout Dwarf_Die) {
        var attribute = Dwarf_Attribute()
        var table: Dwarf_Word = 0
        guard dwarf_attr(&unit, UInt32(DW_AT_stmt_list), &attribute) != nil,
            dwarf_formudata(&attribute, &table) == 0, tables.insert(table).inserted
        else { return }
        var found: OpaquePointer?
        var count = 0
        guard dwarf_getsrclines(&unit, &found, &count) == 0, let found else { return }
        rows += count
        var (start, number): (Dwarf_Addr, Int32) = (0, 0)
        for index in 0..<count {
            guard let row = dwarf_onesrcline(found, index) else { return }
            var address: Dwarf_Addr = 0
            guard dwarf_lineaddr(row, &address) == 0 else { return }
            if number != 0, start < address { lines.add(start..<address) }
            var ends = false
            if dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineno(row, &number) != 0 { number = 0 }
            start = address
        }
    }
}
