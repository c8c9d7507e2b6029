// SPDX-License-Identifier: Apache-2.0

extension ReportedError: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var type: String?
        self.init(type: "", message: nil)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .type: type = try json.value()
            case .message: message = try json.optional()
            case .frames: frames = try json.defaulted()
            case .stackOf: stackOf = try json.optional()
            case .causeOf: causeOf = try json.optional()
            case .domain: domain = try json.optional()
            case .code: code = try json.optional()
            }
        }
        self.type = try json.require(type, CodingKeys.type)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.memberIfKnown(CodingKeys.causeOf, causeOf)
            try json.memberIfKnown(CodingKeys.code, code)
            try json.memberIfKnown(CodingKeys.domain, domain)
            try json.member(CodingKeys.frames, frames)
            try json.member(CodingKeys.message, message)
            try json.memberIfKnown(CodingKeys.stackOf, stackOf)
            try json.member(CodingKeys.type, type)
        }
    }
}
