// SPDX-License-Identifier: Apache-2.0
import DebugImages

/// The linked addresses where a file has code. What lies elsewhere is left over from functions that the linker dropped
/// and whose addresses it set to 0, 1, -1 or -2.
struct CodeMap {
    private let ranges: [Range<UInt64>]

    init(_ file: ELFFile) {
        let sections = file.sections.filter { $0.isAllocated && $0.isExecutable }.map { ($0.address, $0.size) }
        let segments = file.segments.filter(\.isExecutable).map { ($0.address, $0.memorySize) }
        ranges = (sections.isEmpty ? segments : sections).compactMap { start, size in
            let (end, overflow) = start.addingReportingOverflow(size)
            return overflow || start == end ? nil : start..<end
        }
    }

    /// Whether a function may start here.
    func isCode(_ address: UInt64) -> Bool {
        address > 1 && ranges.contains { $0.contains(address) }
    }

    /// The end of the section that holds an address.
    func end(after address: UInt64) -> UInt64? {
        ranges.first { $0.contains(address) }?.upperBound
    }

    func live(_ found: [Range<UInt64>]) -> [Range<UInt64>] {
        found.filter { isCode($0.lowerBound) }
    }
}
