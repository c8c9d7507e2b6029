// SPDX-License-Identifier: Apache-2.0
import DebugImages

/// Where the answers for a file come from: its whole cache, or caches of those of its units that were asked for.
final class AnswerSource {
    private enum State {
        case whole(SymbolCache)
        case units(DebugInformation)
    }

    private struct UnitsCache {
        var cache: SymbolCache
        /// The only address that it answers for; nil for all code of the units.
        var address: UInt64?
    }

    private var state: State
    private let file: DebugSections
    private let caches: SymbolCacheFolder?
    private var byUnits: [[UInt32]: UnitsCache] = [:]
    private var bySymbol: [(range: Range<UInt64>, cache: SymbolCache)] = []
    private var symbolReads = 0
    private var wholeFailed = false
    private var wasKept = false
    /// A cache was let go, and with it the memory of names.
    private(set) var isForgetful = false

    /// After so many units of a file, or so many reads of its symbols, it is quicker to read all of it: the sooner the more
    /// code it says to have.
    private static func many(_ information: DebugInformation) -> Int {
        Int(max(2, min(64, (32 << 30) / max(1, information.codeSize))))
    }

    init(_ file: DebugSections, caches: SymbolCacheFolder?) throws(DebugImageError) {
        self.file = file
        self.caches = caches
        if let kept = caches?.cache(for: file) {
            state = .whole(kept)
        } else {
            state = .units(try DebugInformation(file))
        }
    }

    var hasDebugInfo: Bool {
        switch state {
        case .whole(let cache): cache.facts.hasDebugInfo
        case .units(let information): information.unitCount > 0
        }
    }

    var hasSymbols: Bool {
        switch state {
        case .whole(let cache): cache.facts.hasSymbols
        case .units(let information): information.hasSymbols
        }
    }

    /// Names of `.dwo` files that were not found; at most a few.
    var missingSplitFiles: [String] {
        switch state {
        case .whole(let cache): SymbolCacheFolder.missingSplitFiles(cache)
        case .units(let information): information.missingSplitFiles
        }
    }

    func cache(at address: UInt64) -> SymbolCache? {
        isForgetful = false
        guard address < .max else { return nil }
        switch state {
        case .whole(let cache): return cache
        case .units(let information):
            return answer(information, address)
        }
    }

    /// Once a file, whatever comes of it.
    func keepCache(afterFew: Bool) {
        guard let caches, case .units(let information) = state, !wasKept,
            byUnits.count > (afterFew ? 0 : Self.many(information) / 4)
        else { return }
        wasKept = true
        if let whole = try? information.wholeCache(threads: Processors.count, memoryLimit: caches.memoryLimit) {
            try? caches.keep(whole, for: file)
        }
    }

    private func answer(_ information: DebugInformation, _ address: UInt64) -> SymbolCache? {
        let units = information.units(in: address..<address &+ 1)
        if !units.isEmpty, let cache = cache(information, units, address) {
            // Where other units have part of the function's code, they have their say.
            guard let stretch = cache.stretch(at: address) else { return symbols(information, address) }
            let all = information.units(in: stretch)
            return all == units ? cache : self.cache(information, all, address)
        }
        return symbols(information, address)
    }

    /// The first address in some units is answered by its function alone, the next by all that the units have.
    private func cache(_ information: DebugInformation, _ units: [UInt32], _ address: UInt64) -> SymbolCache? {
        let known = byUnits[units]
        if let known, known.address == nil || known.address == address { return known.cache }
        if byUnits.count >= Self.many(information), let whole = readWhole(information) { return whole }
        let only = known == nil ? address : nil
        let made = try? information.cache(ofUnits: units, at: only)
        if byUnits.count >= 4 * Self.many(information) {
            byUnits = [:]
            isForgetful = true
        }
        if known != nil { isForgetful = true }
        byUnits[units] = made.map { UnitsCache(cache: $0, address: only) }
        return made
    }

    private func readWhole(_ information: DebugInformation) -> SymbolCache? {
        guard !wholeFailed,
            let whole = try? information.wholeCache(
                threads: Processors.count, memoryLimit: caches?.memoryLimit ?? SymbolCacheFolder.defaultMemoryLimit)
        else {
            wholeFailed = true
            return nil
        }
        try? caches?.keep(whole, for: file)
        state = .whole(whole)
        return whole
    }

    private func symbols(_ information: DebugInformation, _ address: UInt64) -> SymbolCache? {
        guard information.hasSymbols else { return nil }
        if let known = bySymbol.first(where: { $0.range.contains(address) }) { return known.cache }
        let most = Self.many(information)
        if symbolReads >= most, let whole = readWhole(information) { return whole }
        symbolReads += 1
        guard let made = try? information.cache(ofSymbolsIn: address..<address &+ 1) else { return nil }
        if bySymbol.count >= most {
            bySymbol = []
            isForgetful = true
        }
        if let range = made.stretch(at: address) { bySymbol.append((range, made)) }
        return made
    }
}
