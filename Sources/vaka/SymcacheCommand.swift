// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Symbolication
import VakaModel

/// `vaka symcache`: makes symbol caches, and says what one holds.
enum SymcacheCommand: Subcommand {
    static let name = "symcache"
    static let manual = Manual(
        summary: "build symbol caches of ELF files, or describe one",
        usage: "symcache build F… --output DIR | symcache info F [--format text|json]",
        explanation: """
            build reads the debug information and symbols of each ELF file and writes its symbol cache to DIR, under a
            name of its build id, where lookup and symbolicate find it with --cache DIR. Its path is printed. Equal
            files give equal caches.

            info checks a cache as a whole and says what it holds; a damaged one, or one of a later version, makes the
            exit status 1.
            """,
        options: [
            Manual.Option("output", "DIR", "the folder that caches are written to; it is made where it is missing"),
            Manual.Option("format", "text|json", "how to print; text when not given"),
        ],
        examples: [
            "vaka symcache build build/server --output caches", "vaka symcache info caches/*.vakasym",
            "vaka lookup --cache caches --debug-file build/server 0x1139",
        ])

    static func run(_ options: ParsedOptions) throws {
        let files = Array(options.arguments.dropFirst())
        guard let action = options.arguments.first else { throw UsageError("symcache: build or info?") }
        guard action == "build" || action == "info" else {
            throw UsageError("symcache: there is no action \"\(action)\"; it is build or info")
        }
        guard !files.isEmpty else { throw UsageError("symcache \(action): which F?") }
        if action == "info" {
            let json = try options.wantsJSON()
            return try forEach(files) { try describe($0, json: json) }
        }
        guard let folder = options.value("output"), !folder.isEmpty else {
            throw UsageError("symcache build: where to? --output DIR is missing")
        }
        try SymbolCacheFolder.makeFolder(folder)
        try forEach(files) { try build($0, in: folder) }
    }

    private static func build(_ path: String, in folder: String) throws {
        let target = try SymbolCacheBuild(path: path).write(to: folder)
        StandardOutput.write(target + "\n")
    }

    private static func describe(_ path: String, json: Bool) throws {
        let cache = try SymbolCache(path: path)
        try cache.verify()
        let description = SymbolCacheDescription(cache)
        if json {
            StandardOutput.write(String(decoding: try ModelCoding.encode(description), as: UTF8.self) + "\n")
        } else {
            StandardOutput.write(description.text + "\n")
        }
    }
}
