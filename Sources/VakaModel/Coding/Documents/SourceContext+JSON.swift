// SPDX-License-Identifier: Apache-2.0

extension SourceContext: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var pre: [String]?
        var line: String?
        var post: [String]?
        var origin: SourceOrigin?
        var verified: Bool?
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .pre: pre = try json.value()
            case .line: line = try json.value()
            case .post: post = try json.value()
            case .origin: origin = try json.value()
            case .verified: verified = try json.value()
            }
        }
        self.init(
            pre: try json.require(pre, CodingKeys.pre), line: try json.require(line, CodingKeys.line),
            post: try json.require(post, CodingKeys.post), origin: try json.require(origin, CodingKeys.origin),
            verified: try json.require(verified, CodingKeys.verified))
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.line, line)
            try json.member(CodingKeys.origin, origin)
            try json.member(CodingKeys.post, post)
            try json.member(CodingKeys.pre, pre)
            try json.member(CodingKeys.verified, verified)
        }
    }
}
