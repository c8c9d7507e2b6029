// SPDX-License-Identifier: Apache-2.0

/// What the nodes of one document write to.
final class JSONOutput {
    var json = JSONBytes()

    var bytes: [UInt8] {
        get { json.bytes }
        _modify { yield &json.bytes }
    }
}
