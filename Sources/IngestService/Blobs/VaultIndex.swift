// SPDX-License-Identifier: Apache-2.0
import BlobStore
import FoundationEssentials
import VakaModel

/// What a blob store has of one build id: `images/ab/cdef…/index.json`. The files' contents are blobs beside it, called by
/// their SHA-256, so that a file that serves for code and for names is kept once, and readers see old files or new ones
/// whole.
struct VaultIndex: Codable, Equatable {
    struct File: Codable, Equatable {
        /// In hexadecimal.
        var sha256: String
        var size: Int64
    }

    static let newest = 1

    var version = Self.newest
    /// By their names within the folder of the build id.
    var files: [String: File]

    init(files: [String: File]) {
        self.files = files
    }

    /// Nil for what is none of a version that is known; a name or a digest that would lead elsewhere makes it one.
    init?(_ bytes: [UInt8]) {
        guard let index = try? ModelCoding.decode(VaultIndex.self, from: Data(bytes)), index.version == Self.newest,
            index.files.allSatisfy({ Self.isRight(name: $0.key) && Self.isRight($0.value) })
        else { return nil }
        self = index
    }

    var bytes: [UInt8] { (try? ModelCoding.encode(self)).map(Array.init) ?? [] }

    var contents: Set<String> { Set(files.values.map(\.sha256)) }

    private static func isRight(name: String) -> Bool {
        BlobKey.isRight(name) && name.split(separator: "/").count <= 2
    }

    private static func isRight(_ file: File) -> Bool {
        file.size >= 0 && file.sha256.utf8.count == 64
            && file.sha256.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// The keys of a build id's blobs.
enum VaultKey {
    static let images = "images/"

    static func folder(_ buildID: BuildID) -> String {
        let hex = buildID.description
        return images + hex.prefix(2) + "/" + hex.dropFirst(2) + "/"
    }

    static func index(_ buildID: BuildID) -> String { folder(buildID) + "index.json" }
    static func contents(_ buildID: BuildID, _ sha256: String) -> String { folder(buildID) + sha256 }
}
