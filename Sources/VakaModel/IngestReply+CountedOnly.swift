// SPDX-License-Identifier: Apache-2.0

extension IngestReply {
    /// Events of earlier batches that the service counted and did not keep; nil where it tells of none.
    package var countedOnly: Int64? {
        directives.lazy.compactMap { directive -> Int64? in
            guard directive["kind"]?.string == "counted_only", case .integer(let events) = directive["events"] else {
                return nil
            }
            return events
        }.first
    }
}

extension JSONValue {
    /// The directive that tells it.
    package static func countedOnly(events: Int) -> JSONValue {
        ["kind": "counted_only", "events": .integer(Int64(events))]
    }
}
