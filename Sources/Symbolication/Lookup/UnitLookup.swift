// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// One address looked up in one unit.
struct UnitLookup {
    let unit: CompileUnit
    let address: UInt64
    let inlines: Bool
    let nearestLines: Bool

    /// Rows looked at, to each side, for the nearest line.
    private static let neighbourhood = 64

    private struct Place {
        var file: String?
        var line: Int?
        var column: Int?
    }

    /// Innermost first; one frame without names where only the line is known; empty where nothing is.
    func frames() -> [LookupFrame] {
        let rowIndex = unit.lines?.index(at: address)
        let innermost = rowIndex.map { place(ofRow: $0) }
        guard let function = unit.functions.function(at: address) else {
            return innermost.map { [frame(nil, $0, inlined: false)] } ?? []
        }
        let chain = inlines ? InlineChain.at(address, in: function.die) : [function.die]
        return chain.indices.map { level in
            let place = level == 0 ? innermost ?? Place() : callPlace(chain[level - 1])
            var frame = frame(chain[level], place, inlined: level + 1 < chain.count)
            if nearestLines, frame.line == nil, frame.file != nil, let rowIndex,
                let near = nearest(to: rowIndex, level: chain[level], function)
            {
                frame.file = near.file ?? frame.file
                frame.line = near.line
                frame.column = near.column
                frame.notes = [LookupFrame.nearestLine]
            }
            return frame
        }
    }

    private func frame(_ die: DIE?, _ place: Place, inlined: Bool) -> LookupFrame {
        let name = die?.name
        let symbol = die?.linkageName ?? name
        return LookupFrame(
            symbol: symbol, function: symbol.map { readable($0, die) }, file: place.file, line: place.line,
            column: place.column, inlined: inlined,
            notes: place.file != nil && place.line == nil ? [LookupFrame.compilerGenerated] : [])
    }

    private func readable(_ symbol: String, _ die: DIE?) -> String {
        let name = Demangler.readable(symbol)
        guard name == symbol, Demangler.isMangled(symbol), let die else { return name }
        return unit.qualifiedName(of: die) ?? name
    }

    private func place(ofRow index: Int) -> Place {
        guard let row = unit.lines?[index] else { return Place() }
        return Place(file: unit.path(ofRow: row), line: nonZero(UInt64(row.line)), column: nonZero(UInt64(row.column)))
    }

    /// Where an inlined function was called: the place of the level around it.
    private func callPlace(_ die: DIE) -> Place {
        Place(
            file: die.number(DW_AT_call_file).flatMap(unit.path(ofFile:)),
            line: die.number(DW_AT_call_line).flatMap(nonZero),
            column: die.number(DW_AT_call_column).flatMap(nonZero))
    }

    private func nonZero(_ value: UInt64) -> Int? { value == 0 ? nil : Int(exactly: value) }

    /// The place of the nearest code that belongs to the same level of the same nest and has a line.
    private func nearest(to row: Int, level: DIE, _ function: FunctionTable.Function) -> Place? {
        guard let lines = unit.lines else { return nil }
        for index in lines.neighbours(of: row, within: function.range, limit: Self.neighbourhood) {
            let chain = InlineChain.at(lines[index].address, in: function.die)
            guard let position = chain.firstIndex(where: { $0.identity == level.identity }) else { continue }
            let place = position == 0 ? place(ofRow: index) : callPlace(chain[position - 1])
            if place.line != nil { return place }
        }
        return nil
    }
}
