// SPDX-License-Identifier: Apache-2.0
package import DebugImages

/// The making of one file's symbol cache.
package struct SymbolCacheBuild {
    private let file: DebugSections

    /// Throws for what is no ELF file.
    package init(path: String) throws(DebugImageError) {
        file = try DebugSections(path: path)
        guard file.identity.fileType == .executable || file.identity.fileType == .shared else {
            throw DebugImageError(
                .unsupported, path: path,
                "has no addresses to look up; name the linked program, library or its .debug file")
        }
    }

    /// Writes the cache to a folder that exists; its path.
    ///
    /// - Throws: `DebugImageError` or `SymbolCacheError`, which both say what to do.
    package func write(
        to folder: String, threads: Int? = nil, memoryLimit: UInt64 = SymbolCacheFolder.defaultMemoryLimit
    ) throws -> String {
        let cache = try DebugInformation(file).wholeCache(
            threads: threads ?? Processors.count, memoryLimit: memoryLimit)
        let target = (folder.hasSuffix("/") ? folder : folder + "/") + SymbolCacheFolder.name(of: file)
        try SymbolCacheWriter.write(cache.bytes, to: target)
        return target
    }
}
