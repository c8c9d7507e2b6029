// SPDX-License-Identifier: Apache-2.0

/// Whether a fault is the stack's end. It lies in no readable page, near the stack pointer, and the stack begins above
/// it: a pointer that is wrong by chance would have to be wrong by just that much.
struct StackEnd {
    private static let page: UInt64 = 4096
    /// How far a fault may lie from the stack pointer: below by a push, above in a large frame.
    private static let below: UInt64 = 65_536
    private static let above: UInt64 = 1 << 20

    let segments: CoreSegments
    let pointer: UInt64

    func explains(_ fault: UInt64) -> Bool {
        let isBelow = fault < pointer && pointer - fault <= Self.below
        let isAbove = fault >= pointer && fault - pointer < Self.above
        guard isBelow || isAbove, !segments.isReadable(fault), !(isAbove && segments.isReadable(pointer)) else {
            return false
        }
        let first = fault & ~(Self.page - 1)
        return (1...Self.above / Self.page).contains { pages in
            let (address, overflow) = first.addingReportingOverflow(pages * Self.page)
            return !overflow && segments.isReadable(address)
        }
    }
}
