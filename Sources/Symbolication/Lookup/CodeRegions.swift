// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols
import DebugImages

/// The linked addresses where a file has code. What lies elsewhere is left over from functions that the linker dropped
/// and whose addresses it set to 0, 1, -1 or -2.
enum CodeRegions {
    /// Sorted and apart from each other.
    static func of(_ file: DebugSections) -> [vaka_region] {
        let sections = file.sections.filter { $0.isAllocated && $0.isExecutable }.map { ($0.address, $0.size) }
        let segments = file.segments.filter(\.isExecutable).map { ($0.address, $0.memorySize) }
        let found = (sections.isEmpty ? segments : sections).compactMap { start, size -> Range<UInt64>? in
            let (end, overflow) = start.addingReportingOverflow(size)
            return overflow || start == end ? nil : start..<end
        }
        return merged(found.sorted { $0.lowerBound < $1.lowerBound }).map {
            vaka_region(address: $0.lowerBound, size: $0.upperBound - $0.lowerBound)
        }
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
}
