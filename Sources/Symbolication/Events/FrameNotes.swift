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
            } else if !note.hasPrefix(LookupFrame.alias), !note.hasPrefix(LookupFrame.folded) {
                notes.append(note)
            }
        }
        notes += folded.prefix(mostFolded).map { LookupFrame.folded + $0 }
        if folded.count > mostFolded { notes.append("\(LookupFrame.folded)\(folded.count - mostFolded) more") }
        return notes
    }

    /// The readable name of the function that a note tells of. A linker may leave nothing of a folded function but its
    /// symbol; libraries give one function many, and so does Swift's `main`.
    private static func other(_ note: String, than level: LookupFrame, inApp: Bool) -> String? {
        let isSymbol = note.hasPrefix(LookupFrame.alias)
        guard note.hasPrefix(LookupFrame.folded) || isSymbol && inApp, let shown = level.symbol,
            !level.notes.contains(LookupFrame.symbolTable)
        else { return nil }
        let other = String(note.dropFirst(isSymbol ? LookupFrame.alias.count : LookupFrame.folded.count))
        return other == "main" || SymbolKinship.areKin(shown, other) ? nil : Demangler.readable(other)
    }
}
