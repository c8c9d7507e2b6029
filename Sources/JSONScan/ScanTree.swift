// SPDX-License-Identifier: Apache-2.0
import CVakaScan

/// Which parts of a document are looked for, or where its texts mean something else. Immutable: any number of threads may
/// use one.
package final class ScanTree: @unchecked Sendable {  // the nodes are written by the initializer only
    package indirect enum Value: Sendable {
        case value
        /// An object, and which of its members are found.
        case object([String: Value])
        /// An array of such objects; those beyond the first `most` are checked and counted, and not found.
        case array([String: Value], most: Int = .max)
        /// Either; arrays may be nested. Of places only.
        case objectOrArray([String: Value])
        /// A text that means something else.
        case place(Place)
    }

    /// What a text is.
    package enum Place: UInt8, Sendable {
        case text
        /// The name of a function.
        case function
        /// Bytes of memory in base64.
        case memory
        /// A file in base64.
        case file
        /// It is taken out whatever it says.
        case dropped
        /// The same for its name.
        case secret
        /// A URL, or a part of one.
        case address
    }

    /// The first is none, the second the document.
    let nodes: UnsafeMutableBufferPointer<vaka_scan_node>

    package init(_ document: Value) {
        var made = [vaka_scan_node(), vaka_scan_node()]
        made[1] = Self.node(document, nil)
        Self.addChildren(of: document, at: 1, to: &made)
        nodes = .allocate(capacity: made.count)
        _ = nodes.initialize(from: made)
    }

    deinit {
        for node in nodes { node.name.map { UnsafeMutablePointer(mutating: $0).deallocate() } }
        nodes.deallocate()
    }

    private static func addChildren(of value: Value, at parent: Int, to nodes: inout [vaka_scan_node]) {
        var last: Int?
        for (name, child) in value.members.sorted(by: { $0.key < $1.key }) {
            let index = nodes.count
            nodes.append(node(child, name))
            if let last { nodes[last].next = UInt16(index) } else { nodes[parent].first_child = UInt16(index) }
            nodes[parent].letters |= 1 << UInt64(vaka_scan_letter(name.utf8.first ?? 0, name.utf8.count))
            last = index
            addChildren(of: child, at: index, to: &nodes)
        }
    }

    private static func node(_ value: Value, _ name: String?) -> vaka_scan_node {
        var node = vaka_scan_node()
        if let name {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count)
            for (index, byte) in name.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
            node.name = UnsafePointer(copy)
            node.name_length = UInt32(name.utf8.count)
        }
        switch value {
        case .value: node.form = UInt8(VAKA_SCAN_VALUE.rawValue)
        case .object: node.form = UInt8(VAKA_SCAN_OBJECT.rawValue)
        case .array(_, let most):
            node.form = UInt8(VAKA_SCAN_ARRAY.rawValue)
            node.most = UInt32(clamping: most)
        case .objectOrArray: node.form = UInt8(VAKA_SCAN_OBJECT_OR_ARRAY.rawValue)
        case .place(let place): node.place = place.rawValue
        }
        return node
    }
}

extension ScanTree.Value {
    fileprivate var members: [String: ScanTree.Value] {
        switch self {
        case .value, .place: [:]
        case .object(let members), .array(let members, _), .objectOrArray(let members): members
        }
    }
}
