// SPDX-License-Identifier: Apache-2.0

/// What an event's frame says of a level beside its name and place.
enum FrameNotes {
    /// Before the name of the function that stood between a frame and its caller.
    static let tailCall = "tail_call: "

    /// Linkers fold hundreds of small functions into one.
    private static let mostFolded = 4

    static func of(_ level: LookupFrame, inApp: Bool) -> [String] {
        var notes: [String] = []
        var folded: [String] = []
        for note in level.notes where note != LookupFrame.symbolTable {
            if let other = other(note, than: level, inApp: inApp) {
                if other != level.function, !folded.contains(other) { folded.append(other) }
            } else if !note.hasPrefix(LookupFrame.alias) {
                notes.append(note)
            }
        }
        notes += folded.prefix(mostFolded).map { LookupFrame.folded + $0 }
        if folded.count > mostFolded { notes.append("\(LookupFrame.folded)\(folded.count - mostFolded) more") }
        return notes
    }

    /// The readable name of the function that a note tells of. A linker may leave nothing of a folded function but its
    /// symbol; libraries give one function many.
    private static func other(_ note: String, than level: LookupFrame, inApp: Bool) -> String? {
        if note.hasPrefix(LookupFrame.folded) {
            return Demangler.readable(String(note.dropFirst(LookupFrame.folded.count)))
        }
        guard inApp, note.hasPrefix(LookupFrame.alias), !level.notes.contains(LookupFrame.symbolTable) else {
            return nil
        }
        let other = String(note.dropFirst(LookupFrame.alias.count))
        return level.symbol.map { SymbolKinship.areKin($0, other) } == true ? nil : Demangler.readable(other)
    }
}
