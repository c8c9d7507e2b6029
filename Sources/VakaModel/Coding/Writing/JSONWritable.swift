// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A value that writes itself, without the containers of `Encodable` and with their outcome: members sorted by name.
package protocol JSONWritable {
    func write(to json: inout JSONBytes) throws
}

extension JSONBytes {
    package mutating func object(_ members: (inout JSONBytes) throws -> Void) rethrows {
        mark("{")
        try members(&self)
        mark("}")
    }

    /// Members are written in the order of their names.
    package mutating func member(_ key: some CodingKey, _ value: some JSONWritable) throws {
        begin(key.stringValue)
        try value.write(to: &self)
    }

    package mutating func writeNull() { write(ascii: "null") }

    /// The name of a member, which needs no escapes.
    package mutating func begin(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { mark(",") }
        mark("\"")
        var name = name
        name.withUTF8 { bytes.append(contentsOf: $0) }
        write(ascii: "\":")
    }

    /// Without a value there is no member.
    package mutating func memberIfKnown(_ key: some CodingKey, _ value: (some JSONWritable)?) throws {
        if let value { try member(key, value) }
    }

    /// The same of a type that does not write itself.
    package mutating func memberIfKnown(_ key: some CodingKey, encoded value: (some Encodable)?) throws {
        if let value { try member(key, Encoded(json: ModelCoding.encode(value))) }
    }
}

private struct Encoded: JSONWritable {
    let json: Data
    func write(to output: inout JSONBytes) { output.bytes += json }
}

extension String: JSONWritable {
    package func write(to json: inout JSONBytes) { json.write(self) }
}

extension Bool: JSONWritable {
    package func write(to json: inout JSONBytes) { json.write(ascii: self ? "true" : "false") }
}

extension Int: JSONWritable {
    package func write(to json: inout JSONBytes) { json.write(self) }
}

extension Int64: JSONWritable {
    package func write(to json: inout JSONBytes) { json.write(self) }
}

extension UInt64: JSONWritable {
    package func write(to json: inout JSONBytes) { json.write(self) }
}

extension Double: JSONWritable {
    package func write(to json: inout JSONBytes) throws {
        guard json.write(self) else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: [], debugDescription: "\(self) is no number in JSON"))
        }
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to json: inout JSONBytes) throws {
        if let self { try self.write(to: &json) } else { json.writeNull() }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to json: inout JSONBytes) throws {
        json.mark("[")
        for (index, element) in enumerated() {
            if index > 0 { json.mark(",") }
            try element.write(to: &json)
        }
        json.mark("]")
    }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    package func write(to json: inout JSONBytes) throws {
        json.mark("{")
        for (name, value) in sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if json.bytes.last != UInt8(ascii: "{") { json.mark(",") }
            json.write(name)
            json.mark(":")
            try value.write(to: &json)
        }
        json.mark("}")
    }
}

extension JSONWritable where Self: RawRepresentable<String> {
    package func write(to json: inout JSONBytes) { json.write(rawValue) }
}

extension Data: JSONWritable {
    package func write(to json: inout JSONBytes) { json.write(base64EncodedString()) }
}
