// SPDX-License-Identifier: Apache-2.0
import CElfutils
import Glibc

/// One compilation unit, its functions and lines read when they are first asked for.
final class CompileUnit {
    /// What the line table of a unit is read from.
    struct LineSource {
        var section: UnsafeRawBufferPointer?
        var strings: LineStrings
        var code: CodeMap
    }

    /// The unit in the main file: its ranges, line table and compilation folder.
    let die: DIE
    /// Where its functions are: the unit itself, or its part in a `.dwo` file.
    let body: DIE
    /// The functions are in a `.dwo` file that was not found.
    let bodyIsMissing: Bool

    private let source: LineSource

    private(set) lazy var functions = FunctionTable(unit: body, code: source.code)
    private(set) lazy var lines: LineTable? = readLines()
    private(set) lazy var qualifiedNames = QualifiedNames(unit: body)
    private lazy var compilationFolder: String? =
        die.text(DW_AT_comp_dir) ?? (body.identity == die.identity ? nil : body.text(DW_AT_comp_dir))

    init(die: DIE, body: DIE?, bodyIsMissing: Bool, source: LineSource) {
        self.die = die
        self.body = body ?? die
        self.bodyIsMissing = bodyIsMissing
        self.source = source
    }

    /// The unit's code; where the producer wrote no ranges, those of its line table.
    var ranges: [Range<UInt64>] {
        let written = source.code.live(die.ranges())
        if !written.isEmpty || !die.has(DW_AT_stmt_list) { return written }
        return lines?.ranges ?? []
    }

    /// The name of a function with the scopes around it, for when its linkage name says nothing to a person.
    func qualifiedName(of function: DIE) -> String? { qualifiedNames.name(of: function) }

    func path(ofRow row: LineRow) -> String? {
        lines?.header.path(Int(row.file), compilationFolder: compilationFolder)
    }

    /// The file that an entry of this unit names by number, as in DW_AT_call_file.
    func path(ofFile number: UInt64) -> String? {
        guard let index = Int(exactly: number) else { return nil }
        if body.identity == die.identity {
            return lines?.header.path(index, compilationFolder: compilationFolder)
        }
        // A split unit counts in a table of its own.
        var unit = body.raw
        var files: OpaquePointer?
        var count = 0
        guard dwarf_getsrcfiles(&unit, &files, &count) == 0, let files, index < count,
            let path = dwarf_filesrc(files, index, nil, nil)
        else { return nil }
        let name = String(cString: path)
        return compilationFolder.map { LineHeader.join($0, name) } ?? name
    }

    private func readLines() -> LineTable? {
        guard let section = source.section, let offset = die.number(DW_AT_stmt_list).flatMap({ Int(exactly: $0) }),
            let header = LineHeader(section, at: offset, strings: source.strings)
        else { return nil }
        return LineTable(header, section, code: source.code)
    }
}
