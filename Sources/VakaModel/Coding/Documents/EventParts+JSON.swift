// SPDX-License-Identifier: Apache-2.0

/// What travels beside an event.
extension EventAttachment: JSONWritable {
    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.memberIfKnown(CodingKeys.contentType, contentType)
            try json.member(CodingKeys.data, data)
            try json.member(CodingKeys.eventID, eventID)
            try json.memberIfKnown(CodingKeys.missing, missing)
            try json.member(CodingKeys.name, name)
            try json.member(CodingKeys.offset, offset)
            try json.member(CodingKeys.size, size)
        }
    }
}

extension HangEnd: JSONWritable {
    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.duration, duration)
            try json.member(CodingKeys.eventID, eventID)
            try json.member(CodingKeys.outcome, outcome)
            try json.member(CodingKeys.timestamp, timestamp)
        }
    }
}
