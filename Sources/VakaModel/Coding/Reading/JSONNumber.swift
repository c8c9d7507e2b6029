// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A number as it stands in a text.
struct JSONNumber {
    let text: ArraySlice<UInt8>

    /// Nil where it is no whole number or does not fit. Whole numbers may be written with a point or an exponent.
    func integer<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) -> Value? {
        plain(type) ?? unusual(type)
    }

    private func plain<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        let isNegative = text.first == UInt8(ascii: "-")
        guard !isNegative || Value.isSigned else { return nil }
        var result: Value = 0
        for byte in isNegative ? text.dropFirst() : text {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Value(truncatingIfNeeded: byte - UInt8(ascii: "0"))
            let (product, isLarge) = result.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !isLarge, !isLarger else { return nil }
            result = sum
        }
        return result
    }

    private func unusual<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) -> Value? {
        guard let number = double, let value = Value(exactly: number) else { return nil }
        // Beyond that a binary fraction does not tell neighbours apart, which takes decimal ones.
        if number.magnitude < 0x1p53 { return value }
        return try? JSONDecoder().decode(type, from: Data(text))
    }

    /// Nil for one that is too large.
    var double: Double? {
        guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}

extension JSONReader {
    mutating func number() throws -> JSONNumber {
        guard kind == .number else { throw mismatch("a number") }
        let start = lexer.position
        try lexer.skipNumber()
        return JSONNumber(text: lexer.bytes[start..<lexer.position])
    }

    fileprivate mutating func integer<Value: FixedWidthInteger & Decodable>() throws -> Value {
        let number = try number()
        guard let value = number.integer(Value.self) else {
            throw corrupted("\(String(decoding: number.text.prefix(40), as: UTF8.self)) is no \(Value.self)")
        }
        return value
    }
}

extension Int: JSONReadable {
    package init(from json: inout JSONReader) throws { self = try json.integer() }
}

extension Int64: JSONReadable {
    package init(from json: inout JSONReader) throws { self = try json.integer() }
}

extension UInt64: JSONReadable {
    package init(from json: inout JSONReader) throws { self = try json.integer() }
}

extension Double: JSONReadable {
    package init(from json: inout JSONReader) throws {
        let number = try json.number()
        guard let value = number.double else { throw json.corrupted("a number is too large") }
        self = value
    }
}
