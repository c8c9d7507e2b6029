// SPDX-License-Identifier: Apache-2.0
import CVakaScan
import Glibc

/// A value that was found in a text. Of members of one name the last counts.
package struct JSONFinding {
    package let scan: JSONScan
    let index: Int

    private var record: vaka_scan_found { scan.records[index] }

    /// With its quotes or brackets.
    package var range: Range<Int> {
        let record = record
        return Int(record.start)..<Int(record.end)
    }

    /// The value as it is written.
    package var slice: ArraySlice<UInt8> { scan.bytes[range] }

    /// Whether it is the object or array that was looked into.
    package var isContainer: Bool { record.is_container }

    /// How many elements an array has, those that were not found too.
    package var elementCount: Int { Int(record.elements) }

    /// Of an array: those that were found.
    package var elements: [JSONFinding] {
        var found: [JSONFinding] = []
        let end = record.next
        var next = index + 1
        while next < end {
            found.append(JSONFinding(scan: scan, index: next))
            next = Int(scan.records[next].next)
        }
        return found
    }

    package subscript(_ name: StaticString) -> JSONFinding? {
        member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    package func member(_ name: String) -> JSONFinding? {
        var name = name
        return name.withUTF8 { member($0) }
    }

    private func member(_ name: UnsafeBufferPointer<UInt8>) -> JSONFinding? {
        guard let nodes = scan.tree?.nodes, let wanted = name.baseAddress else { return nil }
        let records = scan.records
        let end = records[index].next
        var found: Int?
        var next = index + 1
        while next < end {
            let node = nodes[Int(records[next].node)]
            if Int(node.name_length) == name.count, let text = node.name, memcmp(text, wanted, name.count) == 0 {
                found = next
            }
            next = Int(records[next].next)
        }
        return found.map { JSONFinding(scan: scan, index: $0) }
    }
}
