// SPDX-License-Identifier: Apache-2.0
import CPostgres

/// A row of a result in binary form.
struct PostgresRow {
    let result: OpaquePointer
    let row: Int32

    func isNull(_ column: Int32) -> Bool { PQgetisnull(result, row, column) == 1 }

    /// Of a text, what it begins with as a number.
    func integer(_ column: Int32) -> Int64 {
        let value = value(column)
        switch Int(PQftype(result, column)) {
        case VAKA_PG_INT8: return value.big(Int64.self)
        case VAKA_PG_INT4: return Int64(value.big(Int32.self))
        case VAKA_PG_INT2: return Int64(value.big(Int16.self))
        case VAKA_PG_BOOL: return value.first == 1 ? 1 : 0
        case VAKA_PG_NUMERIC: return value.whole()
        default: return Int64(String(decoding: value, as: UTF8.self)) ?? 0
        }
    }

    /// Of a double-precision column.
    func number(_ column: Int32) -> Double {
        Double(bitPattern: UInt64(bitPattern: value(column).big(Int64.self)))
    }

    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : String(decoding: value(column), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] { Array(value(column)) }

    private func value(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}

extension UnsafeRawBufferPointer {
    /// Big-endian; 0 where there are not enough bytes.
    fileprivate func big<Number: FixedWidthInteger>(_: Number.Type) -> Number {
        guard count >= MemoryLayout<Number>.size else { return 0 }
        return Number(bigEndian: loadUnaligned(as: Number.self))
    }

    /// The whole part of a `numeric`: digits to the base 10000, the first of them weighed as the header says.
    fileprivate func whole() -> Int64 {
        guard count >= 8 else { return 0 }
        func word(_ index: Int) -> UInt16 {
            UInt16(bigEndian: loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        }
        let (digits, weight, isNegative) = (Int(word(0)), Int(Int16(bitPattern: word(1))), word(2) == 0x4000)
        guard weight >= 0, count >= 8 + digits * 2 else { return 0 }
        var whole: Int64 = 0
        for place in 0...weight {
            let (product, isLarge) = whole.multipliedReportingOverflow(by: 10_000)
            let (sum, isLarger) = product.addingReportingOverflow(place < digits ? Int64(word(4 + place)) : 0)
            guard !isLarge, !isLarger else { return isNegative ? .min : .max }
            whole = sum
        }
        return isNegative ? -whole : whole
    }
}
