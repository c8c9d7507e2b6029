// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// An ELF file of 64 MiB that is as it should be, but has a million sections: reading its headers takes some hundred
/// megabytes of memory.
package enum CostlyImage {
    private static let sections = 1 << 20
    private static let noteOffset = 64 + 2 * 56
    private static let tableOffset = 0x1000

    /// Writes the file, with a build id given in hexadecimal.
    package static func write(to path: String, buildID: String) throws {
        let bytes = stride(from: 0, to: buildID.utf8.count, by: 2).map { index in
            UInt8(buildID.dropFirst(index).prefix(2), radix: 16) ?? 0
        }
        let note = number(4, 4) + number(bytes.count, 4) + number(3, 4) + Data("GNU\0".utf8) + Data(bytes)
        var file = header + segment(type: 1, offset: 0, size: tableOffset, alignment: 0x1000)
        file += segment(type: 4, offset: noteOffset, size: note.count, alignment: 4)
        file += note
        file += Data(count: tableOffset - file.count)
        // The number of sections is too large for the header, and stands in the first one.
        file += section(type: 0, flags: 0, offset: 0, size: sections)
        file += section(type: 7, flags: 2, offset: noteOffset, size: note.count)
        let other = section(type: 8, flags: 0, offset: 0, size: 16)
        var others = other
        for _ in 0..<20 where others.count < (sections - 2) * 64 { others += others }
        file += others.prefix((sections - 2) * 64)
        try file.write(to: URL(filePath: path))
    }

    private static var header: Data {
        var data = Data([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]) + Data(count: 9)
        data += number(3, 2) + number(62, 2) + number(1, 4) + number(0, 8) + number(64, 8) + number(tableOffset, 8)
        data += number(0, 4)
        for value in [64, 56, 2, 64, 0, 0] { data += number(value, 2) }
        return data
    }

    private static func segment(type: Int, offset: Int, size: Int, alignment: Int) -> Data {
        number(type, 4) + number(5, 4) + number(offset, 8) + number(offset, 8) + number(offset, 8) + number(size, 8)
            + number(size, 8) + number(alignment, 8)
    }

    private static func section(type: Int, flags: Int, offset: Int, size: Int) -> Data {
        number(0, 4) + number(type, 4) + number(flags, 8) + number(offset, 8) + number(offset, 8) + number(size, 8)
            + number(0, 8) + number(4, 8) + number(0, 8)
    }

    private static func number(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
