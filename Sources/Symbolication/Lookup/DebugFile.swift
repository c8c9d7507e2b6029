// SPDX-License-Identifier: Apache-2.0
package import DebugImages

/// One ELF file with whatever it has to name addresses: DWARF, else its symbol tables.
///
/// Answers come from the file's symbol cache where there is one. Without, the units are indexed when it is opened, and each
/// is read at the first address that lies in it; after many the whole file is. The answers are the same.
/// Not thread-safe: use one on each thread, or a lock.
package final class DebugFile {
    package let identity: ELFIdentity
    package let path: String

    private let source: AnswerSource
    private let stubs: LinkageStubs
    private var reader = FrameReader()

    /// Throws for what is no ELF file, or one without addresses to look up.
    ///
    /// - Parameter caches: where symbol caches are kept; a fitting one is used, and after many addresses one is made.
    package init(path: String, caches: SymbolCacheFolder? = nil) throws(DebugImageError) {
        let file = try DebugSections(path: path)
        self.path = path
        identity = file.identity
        guard identity.fileType == .executable || identity.fileType == .shared else {
            throw DebugImageError(
                .unsupported, path: path,
                "is \(identity.fileType == .relocatable ? "an object file, not linked yet" : "no program or library"); "
                    + "name the linked program, library or its .debug file")
        }
        source = try AnswerSource(file, caches: caches)
        stubs = LinkageStubs(file)
    }

    /// The file has DWARF that could be read.
    package var hasDebugInfo: Bool { source.hasDebugInfo }

    package var hasSymbols: Bool { source.hasSymbols }

    /// What keeps the file from saying more; nil when nothing does.
    package var problem: String? {
        if identity.hasDebugInfo, !hasDebugInfo {
            let sections = identity.unreadableSections.joined(separator: ", ")
            return sections.isEmpty
                ? "its DWARF is damaged"
                : "\(sections): compressed in a way that is not read; run objcopy --decompress-debug-sections"
        }
        guard let first = source.missingSplitFiles.first else { return nil }
        return
            "its debug information was split off and \(first) is not there; keep the .dwo files or the .dwp beside it"
    }

    /// The levels at an address as linked, innermost first; empty when nothing is known of it.
    ///
    /// - Parameters:
    ///   - inlines: false asks for the physical function with the innermost line only.
    ///   - nearestLines: where code has no line of its own, use that of the nearest code of the same function and say so.
    package func lookup(address: UInt64, inlines: Bool = true, nearestLines: Bool = false) -> [LookupFrame] {
        guard let cache = cache(at: address) else { return stub(at: address) }
        let frames = reader.frames(cache, at: address, inlines: inlines, nearestLines: nearestLines)
        return frames.isEmpty ? stub(at: address) : frames
    }

    private func stub(at address: UInt64) -> [LookupFrame] {
        guard let name = stubs.name(at: address) else { return [] }
        return [LookupFrame(symbol: name, function: name, notes: [LookupFrame.symbolTable])]
    }

    /// The cache that answers for an address; nil where nothing is known of it.
    func cache(at address: UInt64) -> SymbolCache? {
        let cache = source.cache(at: address)
        if source.isForgetful { reader.forget() }
        return cache
    }

    /// The last question made room by closing caches: their memory is gone.
    var hasClosedCaches: Bool { source.isForgetful }

    /// The other names of the code at an address: other symbols, and functions that were folded into it.
    package func otherNames(at address: UInt64) -> (aliases: [String], folded: [String]) {
        let names = cache(at: address)?.otherNames(at: address) ?? []
        return (names.filter { !$0.isFolded }.map(\.symbol), names.filter(\.isFolded).map(\.symbol))
    }

    /// The name of the physical function at an address.
    package func symbol(at address: UInt64) -> String? {
        lookup(address: address).last?.symbol
    }

    /// The function whose code starts at an address; nil where none does.
    func function(startingAt address: UInt64) -> LookupFrame? {
        guard let cache = cache(at: address), cache.stretch(at: address)?.lowerBound == address else {
            return nil
        }
        return lookup(address: address, inlines: false).last
    }

    /// Makes the cache of the whole file and keeps it in the folder given at first, where many of its units were asked for,
    /// or any. Failures are no errors: the next run reads the file again.
    package func keepCache(afterFewAddresses: Bool = false) { source.keepCache(afterFew: afterFewAddresses) }
}
