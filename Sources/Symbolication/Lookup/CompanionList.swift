// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols

/// Companion files in the form that the build takes, in memory of its own.
final class CompanionList {
    private let entries: UnsafeMutableBufferPointer<vaka_companion>
    private let paths: [UnsafeMutableBufferPointer<UInt8>]

    init(_ companions: [(path: String, size: UInt64?)]) {
        paths = companions.map { companion in
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: companion.path.utf8.count)
            _ = bytes.initialize(from: companion.path.utf8)
            return bytes
        }
        entries = .allocate(capacity: companions.count)
        for (index, companion) in companions.enumerated() {
            entries.initializeElement(
                at: index,
                to: vaka_companion(
                    path: vaka_bytes(start: paths[index].baseAddress, size: paths[index].count),
                    size: companion.size ?? UInt64.max))
        }
    }

    deinit {
        for path in paths { path.deallocate() }
        entries.deallocate()
    }

    var start: UnsafePointer<vaka_companion>? { UnsafePointer(entries.baseAddress) }
    var count: Int { entries.count }
}
