// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// One debugging information entry: libdw's handle with the few questions this module asks.
///
/// Valid while its `DebugFile` lives; not thread-safe, as libdw is not.
struct DIE {
    private(set) var raw: Dwarf_Die

    init(_ raw: Dwarf_Die) {
        self.raw = raw
    }

    /// Equal for the same entry, however it was reached.
    var identity: UnsafeMutableRawPointer? { raw.addr }

    var tag: Int {
        var die = raw
        return Int(dwarf_tag(&die))
    }

    var firstChild: DIE? {
        var die = raw
        var child = Dwarf_Die()
        return dwarf_child(&die, &child) == 0 ? DIE(child) : nil
    }

    /// Moves on to the next sibling; false at the end.
    mutating func advance() -> Bool {
        var next = Dwarf_Die()
        guard dwarf_siblingof(&raw, &next) == 0 else { return false }
        raw = next
        return true
    }

    func has(_ attribute: Int) -> Bool {
        var die = raw
        return dwarf_hasattr(&die, UInt32(attribute)) != 0
    }

    /// A number of this very entry.
    func number(_ attribute: Int) -> UInt64? {
        var die = raw
        var found = Dwarf_Attribute()
        var value: Dwarf_Word = 0
        guard dwarf_attr(&die, UInt32(attribute), &found) != nil, dwarf_formudata(&found, &value) == 0 else {
            return nil
        }
        return value
    }

    /// A text of this entry or of the abstract or declared one it completes.
    func text(_ attribute: Int) -> String? {
        var die = raw
        var found = Dwarf_Attribute()
        guard dwarf_attr_integrate(&die, UInt32(attribute), &found) != nil, let text = dwarf_formstring(&found) else {
            return nil
        }
        return String(cString: text)
    }

    /// The entry that an attribute of this very entry refers to.
    func reference(_ attribute: Int) -> DIE? {
        var die = raw
        var found = Dwarf_Attribute()
        var target = Dwarf_Die()
        guard dwarf_attr(&die, UInt32(attribute), &found) != nil, dwarf_formref_die(&found, &target) != nil else {
            return nil
        }
        return DIE(target)
    }

    /// The name the linker knows, where the producer wrote one.
    var linkageName: String? { text(DW_AT_linkage_name) ?? text(DW_AT_MIPS_linkage_name) }

    var name: String? { text(DW_AT_name) }

    var hasCode: Bool { has(DW_AT_low_pc) || has(DW_AT_ranges) }

    func contains(_ address: UInt64) -> Bool {
        var die = raw
        return dwarf_haspc(&die, address) == 1
    }

    /// The code ranges, as written; callers discard those of code that the linker dropped.
    func ranges() -> [Range<UInt64>] {
        guard hasCode else { return [] }
        var die = raw
        var result: [Range<UInt64>] = []
        var (base, start, end): (Dwarf_Addr, Dwarf_Addr, Dwarf_Addr) = (0, 0, 0)
        var position = 0
        while result.count < Self.maximumRanges {
            position = dwarf_ranges(&die, position, &base, &start, &end)
            guard position > 0 else { break }
            if start < end { result.append(start..<end) }
        }
        return result
    }

    private static let maximumRanges = 1 << 22
}
