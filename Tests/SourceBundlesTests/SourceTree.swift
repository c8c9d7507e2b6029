// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import SourceBundles
import TestSupport
import VakaModel

/// A folder of sources.
struct SourceTree {
    let folder: TemporaryFolder
    /// Without links on the way.
    let path: String

    init(_ files: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        let real = realpath(folder.path, nil)
        defer { free(real) }
        path = real.map { String(cString: $0) } ?? folder.path
        for (name, text) in files { try write(name, Array(text.utf8)) }
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    static let buildID = BuildID(hex: "00112233445566778899aabbccddeeff00112233")!

    /// Makes a bundle of what `sources` names, below the tree.
    func bundle(
        _ sources: [SourceReference], to name: String = "b.sources.zip", builtAt: Int? = nil
    ) throws -> SourceBundleManifest {
        try SourceBundleWriter.write(
            folder.path + "/" + name, buildID: Self.buildID, sources: sources,
            folders: SourceFolders(folders: [path]), builtAt: builtAt)
    }

    func reference(_ name: String, checksum: [UInt8]? = nil) -> SourceReference {
        SourceReference(
            path: name.hasPrefix("/") ? name : path + "/" + name, compilationFolder: path,
            checksums: checksum.map { [$0] } ?? [])
    }
}
