// SPDX-License-Identifier: Apache-2.0
import CVakaScan

/// A JSON text that was checked (RFC 8259), with the values that were looked for in it, and what may hold a secret.
package final class JSONScan {
    /// Why a text is no JSON.
    package struct Fault: Error, Equatable {
        /// Bytes from the start.
        package var offset: Int
        package var problem: String

        package init(offset: Int, problem: String) {
            self.offset = offset
            self.problem = problem
        }
    }

    /// A text or number that may hold a secret.
    package struct Suspect {
        /// With its quotes.
        package var range: Range<Int>
        package var place: ScanTree.Place
        package var hasEscapes: Bool
    }

    package let bytes: [UInt8]
    let tree: ScanTree?
    private var result: vaka_scan_result

    /// Finds what `tree` says. With `rules` it looks for what may hold a secret, too, in texts as `places` tells of them.
    ///
    /// - Parameter deepest: how deep values may be nested.
    /// - Parameter isPlain: without the processor's vectors; the outcome is the same.
    package init(
        _ bytes: [UInt8], deepest: Int, tree: ScanTree? = nil, rules: ScanRules? = nil, places: ScanTree? = nil,
        isPlain: Bool = false
    ) throws(Fault) {
        self.bytes = bytes
        self.tree = tree
        result = bytes.withUnsafeBufferPointer { bytes in
            var request = vaka_scan_request(
                bytes: bytes.baseAddress, count: bytes.count, deepest: UInt32(clamping: deepest),
                find: UnsafePointer(tree?.nodes.baseAddress), rules: rules?.rules,
                places: UnsafePointer(places?.nodes.baseAddress), is_plain: isPlain)
            return withExtendedLifetime((tree, rules, places)) { vaka_scan(&request) }
        }
        if let problem = result.problem {
            let words = result.is_too_deep ? "nested deeper than \(deepest) levels" : String(cString: problem)
            throw Fault(offset: result.offset, problem: words)
        }
    }

    deinit { vaka_scan_free(&result) }

    /// What was found; of the whole document there is always something where a tree was given.
    var records: UnsafeBufferPointer<vaka_scan_found> {
        UnsafeBufferPointer(start: result.found, count: result.found_count)
    }

    package var document: JSONFinding { JSONFinding(scan: self, index: 0) }

    package var suspectCount: Int { result.suspect_count }

    /// In the order in which they stand.
    package func suspect(_ index: Int) -> Suspect {
        guard let suspects = result.suspects, index < result.suspect_count else {
            fatalError("there is no such suspect")
        }
        let suspect = suspects[index]
        return Suspect(
            range: Int(suspect.start)..<Int(suspect.end), place: ScanTree.Place(rawValue: suspect.place) ?? .text,
            hasEscapes: suspect.has_escapes)
    }

    /// The first that does not stand before a place.
    package func suspectIndex(from position: Int) -> Int {
        var (low, high) = (0, result.suspect_count)
        while low < high {
            let middle = (low + high) / 2
            if suspect(middle).range.lowerBound < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether all of the bytes are base64, whole and padded at the end only.
    package static func isBase64(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        vaka_scan_is_base64(bytes.baseAddress, bytes.count)
    }
}
