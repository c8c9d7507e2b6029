// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols
import DebugImages

/// What a cache's header says of the file that it was made from.
enum CacheIdentity {
    static func of(_ file: DebugSections, hasDebugInfo: Bool, hasSymbols: Bool) -> vaka_cache_identity {
        var identity = vaka_cache_identity()
        let buildID = file.identity.buildID?.bytes ?? []
        withUnsafeMutableBytes(of: &identity.build_id) { $0.copyBytes(from: buildID.prefix($0.count)) }
        identity.build_id_size = UInt32(buildID.count)
        identity.machine = file.machine
        identity.is_64_bit = file.identity.bits == 64
        identity.first_address = file.identity.firstLoadAddress
        identity.file_size = file.identity.fileSize
        identity.has_debug_info = hasDebugInfo
        identity.has_symbols = hasSymbols
        return identity
    }
}
