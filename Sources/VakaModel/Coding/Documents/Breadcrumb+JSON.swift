// SPDX-License-Identifier: Apache-2.0

extension Breadcrumb: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var timestamp: Timestamp?
        self.init(timestamp: Timestamp(milliseconds: 0), category: nil, message: nil)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .timestamp: timestamp = try json.value()
            case .level: level = try json.defaulted()
            case .category: category = try json.optional()
            case .message: message = try json.optional()
            case .data: data = try json.defaulted()
            }
        }
        self.timestamp = try json.require(timestamp, CodingKeys.timestamp)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.category, category)
            try json.member(CodingKeys.data, data)
            try json.member(CodingKeys.level, level)
            try json.member(CodingKeys.message, message)
            try json.member(CodingKeys.timestamp, timestamp)
        }
    }
}

extension Loss: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var what: String?
        var why: String?
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .what: what = try json.value()
            case .why: why = try json.value()
            }
        }
        self.init(what: try json.require(what, CodingKeys.what), why: try json.require(why, CodingKeys.why))
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.what, what)
            try json.member(CodingKeys.why, why)
        }
    }
}
