// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Changes made to a little-endian 64-bit ELF file where a test wants them.
package enum ImageDamage {
    /// A copy whose named section holds other bytes of the same number.
    package static func section(_ name: String, of path: String, to copy: String, filledWith byte: UInt8) throws {
        var data = try Data(contentsOf: URL(filePath: path))
        let range = try section(name, in: data)
        data.replaceSubrange(range, with: Data(repeating: byte, count: range.count))
        try data.write(to: URL(filePath: copy))
    }

    /// A copy that says it is for another machine, by the number of its ELF header.
    package static func machine(of path: String, to copy: String, number: UInt16) throws {
        var data = try Data(contentsOf: URL(filePath: path))
        data[18] = UInt8(number & 0xff)
        data[19] = UInt8(number >> 8)
        try data.write(to: URL(filePath: copy))
    }

    /// The bytes of a section within the file.
    package static func section(_ name: String, in data: Data) throws -> Range<Int> {
        let table = number(data, 40, 8)
        let count = number(data, 60, 2)
        let names = number(data, table + number(data, 62, 2) * 64 + 24, 8)
        for index in 0..<count {
            let entry = table + index * 64
            let start = names + number(data, entry, 4)
            let text = String(decoding: data[start..<data.count].prefix { $0 != 0 }, as: UTF8.self)
            guard text == name else { continue }
            let offset = number(data, entry + 24, 8)
            return offset..<offset + number(data, entry + 32, 8)
        }
        throw ChildProcess.Failure(description: "there is no section \(name)")
    }

    private static func number(_ data: Data, _ offset: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) }
    }
}
