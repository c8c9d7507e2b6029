// SPDX-License-Identifier: Apache-2.0
import Symbolication

/// `--cache DIR` and `--no-cache`, of every subcommand that looks addresses up.
enum CacheOptions {
    /// Nil for no caches. Makes the folder where it was named.
    static func folder(_ options: ParsedOptions) throws -> SymbolCacheFolder? {
        if let named = options.value("cache") {
            guard !options.has("no-cache") else { throw UsageError("--cache and --no-cache exclude each other") }
            guard !named.isEmpty else { throw UsageError("--cache is empty; name a folder") }
            try SymbolCacheFolder.makeFolder(named)
            return SymbolCacheFolder(path: named)
        }
        return options.has("no-cache") ? nil : .standard
    }
}
