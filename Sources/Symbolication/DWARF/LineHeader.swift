// SPDX-License-Identifier: Apache-2.0

/// The strings that a line table refers to.
struct LineStrings {
    var strings: UnsafeRawBufferPointer?
    var lineStrings: UnsafeRawBufferPointer?
}

/// The header of one line number program (DWARF 2 to 5): how to run it, and its files.
struct LineHeader {
    struct File {
        var name: String
        var directory: Int
        /// MD5 of its contents (DWARF 5, where the producer wrote it).
        var checksum: [UInt8]?
    }

    private(set) var version = 0
    private(set) var minimumInstructionLength: UInt64 = 1
    private(set) var maximumOperations: UInt64 = 1
    private(set) var lineBase: Int64 = 0
    private(set) var lineRange: UInt64 = 0
    private(set) var opcodeBase = 0
    private(set) var operandCounts: [UInt8] = []
    private(set) var directories: [String] = []
    private(set) var files: [File] = []
    private(set) var programStart = 0
    private(set) var programEnd = 0

    private var is64Bit = false

    /// Nil for a version that is unknown or a header that does not fit.
    init?(_ section: UnsafeRawBufferPointer, at offset: Int, strings: LineStrings) {
        var reader = ByteReader(section, from: offset)
        var length = reader.unsigned(4)
        if length == 0xFFFF_FFFF {
            is64Bit = true
            length = reader.unsigned(8)
        }
        guard !reader.failed, length <= UInt64(reader.remaining) else { return nil }
        programEnd = reader.offset + Int(length)
        reader = ByteReader(section, from: reader.offset, to: programEnd)
        version = Int(reader.unsigned(2))
        guard (2...5).contains(version) else { return nil }
        if version >= 5 { reader.skip(2) }  // sizes of addresses and of segment selectors
        let headerLength = reader.unsigned(is64Bit ? 8 : 4)
        guard !reader.failed, headerLength <= UInt64(reader.remaining) else { return nil }
        programStart = reader.offset + Int(headerLength)
        reader = ByteReader(section, from: reader.offset, to: programStart)
        guard readParameters(&reader) else { return nil }
        if version >= 5 { readTables(&reader, strings) } else { readOldTables(&reader) }
    }

    private mutating func readParameters(_ reader: inout ByteReader) -> Bool {
        minimumInstructionLength = UInt64(reader.u8())
        if version >= 4 { maximumOperations = UInt64(max(1, reader.u8())) }
        _ = reader.u8()  // default of is_stmt
        lineBase = Int64(Int8(bitPattern: reader.u8()))
        lineRange = UInt64(reader.u8())
        opcodeBase = Int(reader.u8())
        for _ in 1..<max(opcodeBase, 1) { operandCounts.append(reader.u8()) }
        return !reader.failed && opcodeBase > 0
    }

    private mutating func readOldTables(_ reader: inout ByteReader) {
        while !reader.isAtEnd {
            let directory = reader.text()
            if directory.isEmpty { break }
            directories.append(directory)
        }
        while !reader.isAtEnd {
            let name = reader.text()
            if name.isEmpty { break }
            let directory = reader.uleb()
            _ = reader.uleb()
            _ = reader.uleb()
            files.append(File(name: name, directory: Int(clamping: directory)))
        }
    }

    private mutating func readTables(_ reader: inout ByteReader, _ strings: LineStrings) {
        directories = readEntries(&reader, strings).map(\.name)
        files = readEntries(&reader, strings)
    }

    private func readEntries(_ reader: inout ByteReader, _ strings: LineStrings) -> [File] {
        let formats = (0..<Int(reader.u8())).map { _ in (type: reader.uleb(), form: reader.uleb()) }
        let count = reader.uleb()
        guard !formats.isEmpty, count <= UInt64(reader.remaining) else { return [] }
        var entries: [File] = []
        for _ in 0..<Int(count) {
            var entry = File(name: "", directory: 0)
            for format in formats {
                let value = LineForm.read(format.form, &reader, strings, is64Bit: is64Bit)
                if format.type == 1, case .text(let name) = value { entry.name = name }
                if format.type == 2, case .number(let index) = value { entry.directory = Int(clamping: index) }
                if format.type == 5, case .block(let checksum) = value { entry.checksum = checksum }
            }
            if reader.failed { break }
            entries.append(entry)
        }
        return entries
    }

    /// The path of a file number as the program counts them; nil where it names none.
    func path(_ number: Int, compilationFolder: String?) -> String? {
        let index = version >= 5 ? number : number - 1
        guard files.indices.contains(index), !files[index].name.isEmpty else { return nil }
        let file = files[index]
        var path = file.name
        if let folder = directory(file.directory) { path = Self.join(folder, path) }
        // From version 5 on, the first directory is the compilation folder itself, be it relative or not.
        if version >= 5, file.directory == 0 { return path }
        return compilationFolder.map { Self.join($0, path) } ?? path
    }

    private func directory(_ number: Int) -> String? {
        let index = version >= 5 ? number : number - 1
        return directories.indices.contains(index) ? directories[index] : nil
    }

    static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder.isEmpty { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}
