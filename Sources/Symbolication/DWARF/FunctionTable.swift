// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// The functions with code of one unit.
struct FunctionTable {
    struct Function {
        var die: DIE
        /// The part of it that an entry of the table stands for.
        var range: Range<UInt64>
    }

    private let table: RangeTable<Function>

    /// Deeper nesting than any compiler writes.
    private static let maximumDepth = 128

    init(unit: DIE, code: CodeMap) {
        var found: [(Range<UInt64>, Function)] = []
        Self.collect(unit, code, depth: 0, &found)
        table = RangeTable(found)
    }

    var isEmpty: Bool { table.isEmpty }

    func function(at address: UInt64) -> Function? {
        table.values(at: address, limit: 1).first
    }

    private static func collect(_ parent: DIE, _ code: CodeMap, depth: Int, _ found: inout [(Range<UInt64>, Function)])
    {
        guard depth < maximumDepth, var child = parent.firstChild else { return }
        repeat {
            let tag = child.tag
            if tag == DW_TAG_subprogram {
                for range in code.live(child.ranges()) { found.append((range, Function(die: child, range: range))) }
            }
            if mayHoldFunctions(tag) { collect(child, code, depth: depth + 1, &found) }
        } while child.advance()
    }

    /// Functions stand in namespaces, modules and types; those of local types inside the function around them.
    private static func mayHoldFunctions(_ tag: Int) -> Bool {
        switch tag {
        case DW_TAG_namespace, DW_TAG_module, DW_TAG_subprogram, DW_TAG_class_type, DW_TAG_structure_type,
            DW_TAG_union_type, DW_TAG_enumeration_type, DW_TAG_interface_type, DW_TAG_lexical_block,
            DW_TAG_variant_part, DW_TAG_variant:
            true
        default: false
        }
    }
}
