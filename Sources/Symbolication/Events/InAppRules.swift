// SPDX-License-Identifier: Apache-2.0

/// Which images are the program's own, by path.
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
}
