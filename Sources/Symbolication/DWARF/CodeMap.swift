// SPDX-License-Identifier: Apache-2.0
import DebugImages

/// The linked addresses where a file has code. What lies elsewhere is left over from functions that the linker dropped
/// and whose addresses it set to 0, 1, -1 or -2.
struct CodeMap {
    /// Sorted and apart from each other.
    private let ranges: [Range<UInt64>]

    init(_ file: ELFFile) {
        let sections = file.sections.filter { $0.isAllocated && $0.isExecutable }.map { ($0.address, $0.size) }
        let segments = file.segments.filter(\.isExecutable).map { ($0.address, $0.memorySize) }
        let found = (sections.isEmpty ? segments : sections).compactMap { start, size -> Range<UInt64>? in
            let (end, overflow) = start.addingReportingOverflow(size)
            return overflow || start == end ? nil : start..<end
        }
        ranges = Self.merged(found.sorted { $0.lowerBound < $1.lowerBound })
    }

    private static func merged(_ sorted: [Range<UInt64>]) -> [Range<UInt64>] {
        var result: [Range<UInt64>] = []
        for range in sorted {
            if let last = result.last, range.lowerBound < last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    private func range(at address: UInt64) -> Range<UInt64>? {
        let index = ranges.upperBound { $0.lowerBound <= address }
        guard index > 0, ranges[index - 1].contains(address) else { return nil }
        return ranges[index - 1]
    }

    /// Whether a function may start here.
    func isCode(_ address: UInt64) -> Bool {
        address > 1 && range(at: address) != nil
    }

    /// The end of the section that holds an address.
    func end(after address: UInt64) -> UInt64? {
        range(at: address)?.upperBound
    }

    func live(_ found: [Range<UInt64>]) -> [Range<UInt64>] {
        found.filter { isCode($0.lowerBound) }
    }
}
