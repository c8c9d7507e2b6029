// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols
package import VakaModel

/// What a symbol cache says of itself.
package struct SymbolCacheFacts: Sendable, Hashable, Codable {
    package var formatVersion: Int
    /// Bytes of the cache.
    package var size: UInt64
    package var buildID: BuildID?
    /// The number of the ELF header.
    package var machine: UInt16
    package var bits: Int
    /// The linked address of the first loaded byte.
    package var firstLoadAddress: UInt64
    /// Bytes of the file that it was made from.
    package var sourceSize: UInt64
    /// Bytes of code that it covers.
    package var codeSize: UInt64
    package var hasDebugInfo: Bool
    package var hasSymbols: Bool

    private enum CodingKeys: String, CodingKey {
        case formatVersion = "format_version"
        case size
        case buildID = "build_id"
        case machine, bits
        case firstLoadAddress = "first_load_address"
        case sourceSize = "source_size"
        case codeSize = "code_size"
        case hasDebugInfo = "has_debug_info"
        case hasSymbols = "has_symbols"
    }

    init(_ facts: vaka_cache_facts) {
        formatVersion = Int(facts.version)
        size = facts.size
        buildID = BuildID(bytes: UnsafeRawBufferPointer(start: facts.build_id, count: facts.build_id_size))
        machine = facts.machine
        bits = facts.is_64_bit ? 64 : 32
        firstLoadAddress = facts.first_address
        sourceSize = facts.source_size
        codeSize = facts.code_size
        hasDebugInfo = facts.has_debug_info
        hasSymbols = facts.has_symbols
    }
}
