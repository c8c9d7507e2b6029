// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols
import DebugImages
import Glibc

/// The debug information and symbols of one ELF file, read unit by unit as addresses ask for them.
///
/// Not thread-safe.
final class DebugInformation {
    let file: DebugSections
    /// Bytes of code that the file says to have, which costs every cache a table.
    let codeSize: UInt64
    private let handle: OpaquePointer
    private let common: DebugSections?
    private let packed: ELFFile?
    private var parts: [DebugSections] = []
    private let splits: SplitFiles
    private var attached: Set<UInt32> = []

    /// Throws where memory is short. `package` takes the place of the one beside the file.
    init(_ file: DebugSections, package: DebugSections? = nil) throws(DebugImageError) {
        self.file = file
        common = CommonDebugFile.open(for: file)
        packed = file.identity.hasSymbolTable ? nil : (try? ELFFile(path: file.path))?.miniDebugInfo()
        let regions = CodeRegions.of(file)
        codeSize = regions.reduce(0) { $0 &+ UInt64($1.size) }
        let made = regions.withUnsafeBufferPointer { [common, packed] regions in
            var input = vaka_debug_input()
            input.sections = DebugSectionSet.plain(file)
            if let common { input.common = DebugSectionSet.plain(common) }
            input.regions = regions.baseAddress
            input.region_count = regions.count
            input.symbols = DebugSectionSet.symbols(file)
            if let packed { input.packed_symbols = DebugSectionSet.symbols(packed) }
            input.is_64_bit = file.identity.bits == 64
            return vaka_debug_create(&input)
        }
        guard let made else {
            throw DebugImageError(.unreadable, path: file.path, "its debug information needs more memory than there is")
        }
        handle = made
        splits = SplitFiles(handle, beside: file.path, chosen: package)
        if let package = splits.package {
            var sections = DebugSectionSet.split(package)
            vaka_debug_attach_package(handle, &sections)
            parts.append(package)
        }
    }

    deinit {
        vaka_debug_destroy(handle)
    }

    var unitCount: Int { vaka_debug_unit_count(handle) }

    var hasSymbols: Bool { file.identity.hasSymbolTable || file.identity.hasDynamicSymbols || packed != nil }

    /// How many units were split off, and how many of them the package completed.
    var splitUnits: (completed: Int, all: Int) { splits.counts(handle) }

    /// Names of `.dwo` files that were not found; at most a few.
    private(set) lazy var missingSplitFiles: [String] = splits.missing(handle)

    /// The units whose code has something in common with a stretch of addresses.
    func units(in range: Range<UInt64>) -> [UInt32] {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.mostUnits) { space in
            guard let start = space.baseAddress else { return [] }
            let count = vaka_debug_units_between(handle, range.lowerBound, range.upperBound, start, space.count)
            return Array(space.prefix(count))
        }
    }

    private static let mostUnits = 256

    /// Calls `body` with the files of every line table until it says false.
    func eachSourceFile(_ body: (vaka_source_file) -> Bool) {
        withoutActuallyEscaping(body) { body in
            var visit = body
            withUnsafeMutablePointer(to: &visit) { context in
                let visitor: vaka_source_visitor = { context, file in
                    context?.assumingMemoryBound(to: ((vaka_source_file) -> Bool).self).pointee(file.pointee) ?? false
                }
                vaka_debug_source_files(handle, visitor, context)
            }
        }
    }

    /// A cache of some units, without what only symbols name.
    ///
    /// - Parameter address: where given, the cache holds the function there alone and answers for no other address.
    func cache(ofUnits units: [UInt32], at address: UInt64? = nil) throws(SymbolCacheError) -> SymbolCache {
        for unit in units { attach(unit) }
        var options = options()
        options.symbols = VAKA_SYMBOLS_NONE
        options.threads = 1
        if let address {
            options.is_focused = true
            (options.start_address, options.end_address) = (address, address &+ 1)
        }
        return try units.withUnsafeBufferPointer { units throws(SymbolCacheError) in
            options.units = units.baseAddress
            options.unit_count = units.count
            return try build(&options)
        }
    }

    /// A cache of what symbols alone say of some code.
    func cache(ofSymbolsIn range: Range<UInt64>) throws(SymbolCacheError) -> SymbolCache {
        var options = options()
        options.symbols = VAKA_SYMBOLS_BETWEEN
        options.start_address = range.lowerBound
        options.end_address = range.upperBound
        var none: UInt32 = 0
        return try withUnsafePointer(to: &none) { pointer throws(SymbolCacheError) in
            options.units = pointer
            options.unit_count = 0
            return try build(&options)
        }
    }

    /// The cache of the whole file.
    ///
    /// - Parameter memoryLimit: bytes that it and what leads to it may take; 0 for no bound.
    func wholeCache(threads: Int, memoryLimit: UInt64 = 0) throws(SymbolCacheError) -> SymbolCache {
        for unit in 0..<UInt32(unitCount) { attach(unit) }
        var options = options()
        options.threads = UInt32(clamping: threads)
        options.memory_limit = memoryLimit
        let companions = CompanionList(companions)
        options.companions = companions.start
        options.companion_count = companions.count
        return try withExtendedLifetime(companions) { () throws(SymbolCacheError) in try build(&options) }
    }

    /// The other files that the answers depend on, with their sizes; nil for one that is missing.
    private var companions: [(path: String, size: UInt64?)] {
        var result = splits.companions(handle)
        if let common { result.append((common.path, common.identity.fileSize)) }
        return result
    }

    private func build(_ options: inout vaka_build_options) throws(SymbolCacheError) -> SymbolCache {
        var bytes: UnsafeMutablePointer<UInt8>?
        var size = 0
        let status = vaka_debug_build(handle, &options, &bytes, &size)
        guard status == VAKA_BUILD_DONE, let bytes else {
            throw SymbolCacheError(
                .outOfMemory, path: file.path,
                status == VAKA_BUILD_TOO_LARGE
                    ? "its symbol cache would need more memory than is allowed"
                    : "its symbol cache needs more memory than there is")
        }
        return try SymbolCache(CacheBytes(owning: bytes, count: size), path: file.path)
    }

    private func options() -> vaka_build_options {
        var options = vaka_build_options()
        options.can_demangle = { name, size in
            let symbol = String(decoding: UnsafeRawBufferPointer(start: name, count: size), as: UTF8.self)
            return Demangler.readable(symbol) != symbol
        }
        options.identity = CacheIdentity.of(file, hasDebugInfo: unitCount > 0, hasSymbols: hasSymbols)
        return options
    }

    /// Opens the `.dwo` file of a unit, where it has one.
    private func attach(_ unit: UInt32) {
        guard attached.insert(unit).inserted, let part = splits.open(handle, unit: Int(unit)) else { return }
        var sections = DebugSectionSet.split(part)
        if vaka_debug_attach(handle, Int(unit), &sections) { parts.append(part) }
    }
}
