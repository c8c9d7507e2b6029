// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// The nest of inlined calls at an address.
enum InlineChain {
    /// Deeper nesting than any compiler writes.
    private static let maximumDepth = 256

    /// The inlined calls that hold an address, innermost first, ended by the function itself.
    static func at(_ address: UInt64, in function: DIE) -> [DIE] {
        var chain = [function]
        descend(function, address, depth: 0, &chain)
        return chain.reversed()
    }

    /// True when a call was found below `parent`.
    @discardableResult
    private static func descend(_ parent: DIE, _ address: UInt64, depth: Int, _ chain: inout [DIE]) -> Bool {
        guard depth < maximumDepth, var child = parent.firstChild else { return false }
        repeat {
            switch child.tag {
            case DW_TAG_inlined_subroutine:
                guard child.contains(address) else { continue }
                chain.append(child)
                descend(child, address, depth: depth + 1, &chain)
                return true
            case DW_TAG_lexical_block, DW_TAG_try_block, DW_TAG_catch_block, DW_TAG_with_stmt:
                // A block without addresses of its own covers what its children cover.
                guard !child.hasCode || child.contains(address) else { continue }
                if descend(child, address, depth: depth + 1, &chain) { return true }
            default: break
            }
        } while child.advance()
        return false
    }
}
