// SPDX-License-Identifier: Apache-2.0

/// What must hold of a bundle's directory and manifest, beside what their readers see to.
struct SourceBundleRules {
    let archive: ZipArchive
    let manifest: SourceBundleManifest

    func check() throws(SourceBundleError) {
        var total = 0
        var previous: String?
        var named: Set<String> = []
        for file in manifest.files {
            try require(
                Self.isPath(file.path), "a path that is empty, too long or not normal: \(file.path.prefix(200))")
            if let previous {
                let isSorted = previous.utf8.lexicographicallyPrecedes(file.path.utf8)
                try require(isSorted, "paths out of order, or twice: \(file.path.prefix(200))")
            }
            previous = file.path
            try require(
                Self.isHex(file.sha256, bytes: 32) && Self.isHex(file.md5, bytes: 16),
                "no checksum of \(file.path.prefix(200))")
            let name = SourceBundle.folder + file.sha256
            try require(
                archive.entries[name].map { $0.size == file.size } ?? false,
                "no entry of its size for \(file.path.prefix(200))")
            named.insert(name)
            total += file.size
            try require(total <= SourceBundleLimits.totalBytes, "more than \(SourceBundleLimits.totalBytes) bytes")
        }
        try require(archive.entries.count == named.count + 1, "entries that its manifest does not name")
        let missing = manifest.missing
        try require(
            missing.files.count <= min(missing.count, SourceBundleLimits.namedMissing), "a wrong count of missing files"
        )
    }

    private func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(SourceBundleError) {
        guard !condition else { return }
        throw SourceBundleError(.malformed, path: archive.path, "the bundle has \(what()); make it anew")
    }

    /// As frames name it: normal, and nothing that a terminal or a protocol would take for something else.
    private static func isPath(_ path: String) -> Bool {
        !path.isEmpty && path.utf8.count <= SourceBundleLimits.pathBytes && SourcePath.normalized(path) == path
            && !path.utf8.contains { $0 < 0x20 || $0 == 0x7f }
    }

    private static func isHex(_ text: String, bytes: Int) -> Bool {
        text.utf8.count == 2 * bytes
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
