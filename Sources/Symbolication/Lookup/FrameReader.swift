// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols

/// Makes frames of a cache's raw levels, and remembers the names and paths it made. Not thread-safe.
struct FrameReader {
    private var names: [UnsafePointer<CChar>: (symbol: String, function: String)] = [:]
    private var paths: [UnsafePointer<CChar>: [UnsafePointer<CChar>?: String]] = [:]

    /// So many names are kept; a run over millions of addresses must not take the memory.
    private static let mostKept = 1 << 17

    mutating func frames(
        _ cache: SymbolCache, at address: UInt64, inlines: Bool, nearestLines: Bool
    ) -> [LookupFrame] {
        if names.count > Self.mostKept { forget() }
        var frames = cache.withFrames(at: address, nearest: nearestLines) { levels -> [LookupFrame] in
            guard let first = levels.first, let last = levels.last else { return [] }
            return inlines ? levels.map { frame($0, place: $0) } : [frame(last, place: first)]
        }
        guard let last = frames.indices.last else { return [] }
        frames[last].notes += notes(cache.otherNames(at: address), frames[last].symbol)
        return frames
    }

    /// Names and paths live in the caches' memory: to be called when one is closed.
    mutating func forget() {
        names = [:]
        paths = [:]
    }

    private mutating func frame(_ level: vaka_cache_frame, place: vaka_cache_frame) -> LookupFrame {
        let name = name(level)
        let path = path(place)
        var notes: [String] = []
        if place.is_nearest { notes.append(LookupFrame.nearestLine) }
        if level.is_symbol { notes.append(LookupFrame.symbolTable) }
        if path != nil, place.line == 0 { notes.append(LookupFrame.compilerGenerated) }
        return LookupFrame(
            symbol: name?.symbol, function: name?.function, file: path, line: place.line == 0 ? nil : Int(place.line),
            column: place.column == 0 ? nil : Int(place.column), inlined: level.is_inlined, notes: notes)
    }

    private mutating func name(_ level: vaka_cache_frame) -> (symbol: String, function: String)? {
        guard let start = level.name.start else { return nil }
        if let known = names[start] { return known }
        guard let symbol = level.name.string else { return nil }
        let made = (symbol, level.readable.string ?? Demangler.readable(symbol))
        names[start] = made
        return made
    }

    private mutating func path(_ level: vaka_cache_frame) -> String? {
        guard let start = level.file.start else { return nil }
        if let known = paths[start]?[level.folder.start] { return known }
        guard let file = level.file.string else { return nil }
        let folder = level.folder.string.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        paths[start, default: [:]][level.folder.start] = folder + file
        return folder + file
    }

    private func notes(_ others: [OtherName], _ shown: String?) -> [String] {
        var notes = shown.flatMap { CloneSuffix($0)?.note }.map { [$0] } ?? []
        for other in others {
            if let note = other.note(beside: shown), !notes.contains(note) { notes.append(note) }
        }
        return notes
    }
}
