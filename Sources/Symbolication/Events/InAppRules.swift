// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Which frames are the program's own: those in images outside the system's folders, save code that the program did not
/// write but has in its image: the standard libraries' inlined functions, the compiler's glue, start-up code.
package struct InAppRules: Sendable {
    /// Paths that begin so are the program's own, before everything else.
    package var appPrefixes: [String]
    /// Paths that begin so are the system's.
    package var systemPrefixes: [String]

    package init(
        appPrefixes: [String] = [], systemPrefixes: [String] = ["/usr/", "/lib/", "/lib64/", "/lib32/", "/nix/store/"]
    ) {
        self.appPrefixes = appPrefixes
        self.systemPrefixes = systemPrefixes
    }

    /// Folders of the Swift runtime, wherever a toolchain is.
    private static let runtimeFolders = ["/usr/lib/swift/", "/swift/linux/", "/usr/lib/swift-"]
    /// The Swift runtime's libraries, also where they were copied beside the program; and the crash reporter's own.
    private static let runtimeNames = [
        "libswift", "libFoundation", "lib_Foundation", "libdispatch.so", "libBlocksRuntime.so", "libvakacrash.so",
    ]

    /// Nil where the image has no path.
    package func isInApp(path: String?) -> Bool? {
        guard let path, !path.isEmpty else { return nil }
        if appPrefixes.contains(where: { path.hasPrefix($0) }) { return true }
        let name = path.split(separator: "/").last ?? ""
        if Self.isKernelImage(path) || systemPrefixes.contains(where: { path.hasPrefix($0) }) { return false }
        if Self.runtimeFolders.contains(where: { path.contains($0) }) { return false }
        return !(name.contains(".so") && Self.runtimeNames.contains { name.hasPrefix($0) })
    }

    /// The vDSO: code that the kernel maps, with no file anywhere.
    static func isKernelImage(_ path: String) -> Bool {
        path.hasPrefix("[") || path.hasPrefix("linux-vdso") || path.hasPrefix("linux-gate")
    }

    /// Where compilers keep the source of what they inline from the standard libraries.
    private static let foreignSources = ["/rustc/", "/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm"]
    private static let startUp: Set<String> = ["_start", "__libc_start_main", "__libc_start_call_main"]
    /// The crash reporter's own functions, in C and in Swift's module `Vaka`: a snapshot's stack begins with them.
    private static let ownSymbols = ["vaka_crash_", "vaka_snapshot_", "vaka_watch_", "vaka_async_", "$s4Vaka"]

    /// Code in the program's image that is not the program's.
    static func isForeign(_ level: LookupFrame) -> Bool {
        // Its lines are those of the code around it, so that they do not tell.
        if level.symbol.map(SwiftLibrary.owns) == true { return true }
        if let symbol = level.symbol, ownSymbols.contains(where: symbol.hasPrefix) { return true }
        if level.line == nil, level.function.map(SwiftLibrary.isGlue) == true { return true }
        guard let file = level.file else { return level.symbol.map(startUp.contains) ?? false }
        if level.line == nil,
            level.notes.contains(LookupFrame.compilerGenerated) || file.hasSuffix("<compiler-generated>")
        {
            return true
        }
        return foreignSources.contains { file.hasPrefix($0) }
    }

    /// Rust's compiler writes a `main` of its own, without debug information, around the program's.
    static func withoutStartUp(_ frames: [Frame]) -> [Frame] {
        var result = frames
        for index in result.indices.dropFirst() where result[index].symbol == "main" && result[index].file == nil {
            if result[index - 1].function?.hasPrefix("std::rt::lang_start") == true { result[index].inApp = false }
        }
        return result
    }
}
