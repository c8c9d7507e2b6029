// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols
import Glibc
import VakaModel

/// A symbol cache: the answers for all code of one ELF file (docs/symbol-cache-format.md). Any thread.
package final class SymbolCache: @unchecked Sendable {
    // Sendable: what the handle points to does not change after init.
    private let memory: CacheBytes
    let handle: UnsafeMutablePointer<vaka_symbol_cache>
    package let path: String

    /// The most levels and names that are looked at for one address.
    static let mostLevels = Int(VAKA_MOST_LEVELS)
    private static let mostNames = 64

    /// Opens a file: its header is checked, of its contents nothing is read.
    package convenience init(path: String) throws(SymbolCacheError) {
        try self.init(CacheBytes(path: path), path: path)
    }

    /// Opens a copy of bytes.
    package convenience init(bytes: [UInt8]) throws(SymbolCacheError) {
        guard let start = malloc(max(1, bytes.count))?.bindMemory(to: UInt8.self, capacity: bytes.count) else {
            throw SymbolCacheError(.outOfMemory, path: "memory", "is short")
        }
        bytes.withUnsafeBufferPointer { source in
            if let from = source.baseAddress { start.update(from: from, count: source.count) }
        }
        try self.init(CacheBytes(owning: start, count: bytes.count), path: "memory")
    }

    init(_ memory: CacheBytes, path: String) throws(SymbolCacheError) {
        self.memory = memory
        self.path = path
        handle = .allocate(capacity: 1)
        handle.initialize(to: vaka_symbol_cache())
        guard let start = memory.bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        let status = vaka_symbol_cache_open(handle, start, memory.bytes.count)
        if let failure = Self.failure(status, path) { throw failure }
    }

    deinit {
        handle.deallocate()
    }

    package var bytes: UnsafeRawBufferPointer { memory.bytes }

    package var facts: SymbolCacheFacts { SymbolCacheFacts(vaka_symbol_cache_facts(handle)) }

    /// Functions in it; reads all of them.
    package var functionCount: Int { Int(vaka_symbol_cache_function_count(handle)) }

    /// Reads the whole file; throws where it is not as it was written.
    package func verify() throws(SymbolCacheError) {
        let part = vaka_symbol_cache_verify(handle)
        guard part >= 0 else { return }
        let name = String(cString: vaka_symbol_cache_part_name(UInt32(part)))
        throw SymbolCacheError(
            .damaged, path: path, "its part \"\(name)\" is not as it was written; remove the file and build it anew")
    }

    /// The other files that it was made from, by path; nil for the size of one that was missing.
    package var companions: [(path: String, size: UInt64?)] {
        var result: [(String, UInt64?)] = []
        var (text, size) = (vaka_cache_text(), 0 as UInt64)
        while vaka_symbol_cache_companion(handle, result.count, &text, &size) {
            result.append((text.string ?? "", size == UInt64.max ? nil : size))
        }
        return result
    }

    /// The raw levels at an address as linked, innermost first, in memory that is gone afterwards.
    func withFrames<Result>(
        at address: UInt64, nearest: Bool, _ body: (UnsafeBufferPointer<vaka_cache_frame>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: vaka_cache_frame.self, capacity: Self.mostLevels) { space in
            guard let start = space.baseAddress else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
            let count = vaka_symbol_cache_lookup(handle, address, nearest, start, space.count)
            return try body(UnsafeBufferPointer(start: start, count: count))
        }
    }

    /// The levels at an address as linked, innermost first, with the nearest lines where their own have none.
    package func names(at address: UInt64) -> [String] {
        var reader = FrameReader()
        _ = stretch(at: address)
        return reader.frames(self, at: address, inlines: true, nearestLines: true).map {
            "\($0.symbol ?? "??") at \($0.file ?? "??"):\($0.line ?? 0)"
        }
    }

    /// The addresses around one that belong to the same function without a gap.
    func stretch(at address: UInt64) -> Range<UInt64>? {
        var (start, end) = (0 as UInt64, 0 as UInt64)
        return vaka_symbol_cache_stretch(handle, address, &start, &end) ? start..<end : nil
    }

    /// The other names of the code at an address.
    func otherNames(at address: UInt64) -> [OtherName] {
        withUnsafeTemporaryAllocation(of: vaka_other_name.self, capacity: Self.mostNames) { space in
            guard let start = space.baseAddress else { return [] }
            let count = vaka_symbol_cache_other_names(handle, address, start, space.count)
            return space.prefix(count).compactMap { entry in
                entry.name.string.map { OtherName(symbol: $0, isFolded: entry.is_folded) }
            }
        }
    }

    private static func failure(_ status: vaka_cache_status, _ path: String) -> SymbolCacheError? {
        switch status {
        case VAKA_CACHE_OPEN: nil
        case VAKA_CACHE_OTHER: SymbolCacheError(.notACache, path: path, "is no symbol cache")
        case VAKA_CACHE_NEWER:
            SymbolCacheError(
                .newer, path: path, "was written by a later version of vaka; update vaka, or build the cache anew")
        case VAKA_CACHE_CUT:
            SymbolCacheError(.truncated, path: path, "ends too early; remove it and build the cache anew")
        default:
            SymbolCacheError(.damaged, path: path, "has a damaged header; remove it and build the cache anew")
        }
    }
}

extension vaka_cache_text {
    /// Nil where there is none.
    var string: String? {
        guard let start, size > 0 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: size), as: UTF8.self)
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: size) }
}
