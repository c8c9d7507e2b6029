// SPDX-License-Identifier: Apache-2.0

extension HexAddress: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        let string = try json.string()
        if !string.hasEscapes, let value = HexAddress(hex: json.lexer.bytes[string.range]) {
            self = value
            return
        }
        let text = try json.text(of: string)
        guard let value = HexAddress(hex: text) else { throw json.corrupted(Self.problem(text)) }
        self = value
    }

    package func write(to json: inout JSONBytes) { json.write(hex: rawValue) }
}

extension BuildID: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        let string = try json.string()
        let raw = json.lexer.bytes[string.range]
        if let last = json.lastBuildID, last.text.elementsEqual(raw) {
            self = last.value
            return
        }
        let text = try json.text(of: string)
        guard let value = BuildID(hex: text) else { throw json.corrupted(Self.problem(text)) }
        json.lastBuildID = (raw, value)
        self = value
    }

    package func write(to json: inout JSONBytes) { json.write(hex: bytes) }
}

extension Timestamp: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        let string = try json.string()
        if !string.hasEscapes, let time = CivilTime(text: json.lexer.bytes[string.range]) {
            self.init(milliseconds: time.milliseconds)
            return
        }
        let text = try json.text(of: string)
        guard let value = Timestamp(rfc3339: text) else { throw json.corrupted(Self.problem(text)) }
        self = value
    }

    package func write(to json: inout JSONBytes) {
        guard let time = CivilTime(milliseconds: milliseconds) else { return json.write(description) }
        json.mark("\"")
        time.write(to: &json.bytes)
        json.mark("\"")
    }
}

extension JSONValue: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        switch json.kind {
        case .null: self = try json.optional(Bool.self).map(JSONValue.bool) ?? .null
        case .bool: self = .bool(try json.value())
        case .number:
            let number = try json.number()
            if let whole = number.integer(Int64.self) {
                self = .integer(whole)
            } else {
                guard let value = number.double else { throw json.corrupted("a number is too large") }
                self = .number(value)
            }
        case .string: self = .string(try json.value())
        case .array: self = .array(try json.value())
        case .object: self = .object(try json.value())
        case .none: throw json.mismatch("a value")
        }
    }

    package func write(to json: inout JSONBytes) throws {
        switch self {
        case .null: json.write(ascii: "null")
        case .bool(let value): value.write(to: &json)
        case .integer(let value): json.write(value)
        case .number(let value): try value.write(to: &json)
        case .string(let value): json.write(value)
        case .array(let value): try value.write(to: &json)
        case .object(let value): try value.write(to: &json)
        }
    }
}
