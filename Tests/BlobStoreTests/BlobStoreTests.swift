// SPDX-License-Identifier: Apache-2.0
import BlobStore
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// The same for every kind of store.
struct BlobStoreTests {
    enum Kind: String, CaseIterable {
        case folder, s3
    }

    /// Parts are small, so that files of a few megabytes come in several.
    private static let partBytes: Int64 = 5 << 20

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ kind: Kind) throws -> any BlobStore {
        switch kind {
        case .folder: FolderBlobStore(folder: folder.path + "/blobs")
        case .s3: try SharedS3.store(partBytes: Self.partBytes)
        }
    }

    private func file(_ bytes: Int, name: String = "file") throws -> (path: String, sha256: String) {
        var random = SeededRandom(seed: UInt64(bytes) + 1)
        let data = Data((0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) })
        let path = folder.path + "/" + name
        try data.write(to: URL(filePath: path))
        return (path, try FileDigest.sha256(file: path))
    }

    @Test(arguments: Kind.allCases) func `a file comes back as it was put`(_ kind: Kind) throws {
        let store = try store(kind)
        let (path, sha256) = try file(100_003)
        #expect(try store.size("a/b/c.d") == nil)
        try store.put(file: path, at: "a/b/c.d")
        try store.put(file: path, at: "a/b/c.d")
        #expect(try store.size("a/b/c.d") == 100_003)
        let back = folder.path + "/back"
        #expect(try store.fetch("a/b/c.d", to: back) == sha256)
        #expect(try FileDigest.sha256(file: back) == sha256)
        // Another in its place.
        let (other, otherDigest) = try file(3, name: "other")
        try store.put(file: other, at: "a/b/c.d")
        #expect(try store.fetch("a/b/c.d", to: folder.path + "/again") == otherDigest)
    }

    @Test(arguments: Kind.allCases) func `an empty file, too`(_ kind: Kind) throws {
        let store = try store(kind)
        let (path, sha256) = try file(0)
        try store.put(file: path, at: "empty")
        #expect(try store.size("empty") == 0)
        #expect(try store.fetch("empty", to: folder.path + "/back") == sha256)
    }

    @Test(arguments: Kind.allCases) func `a large file goes in parts`(_ kind: Kind) throws {
        let store = try store(kind)
        let (path, sha256) = try file(Int(Self.partBytes) * 2 + 77)
        try store.put(file: path, at: "large")
        #expect(try store.size("large") == Self.partBytes * 2 + 77)
        #expect(try store.fetch("large", to: folder.path + "/back") == sha256)
        #expect(try store.removeRemains(before: .now) == 0, "nothing is left over")
    }

    @Test(arguments: Kind.allCases) func `what is not there is said, and leaves no file`(_ kind: Kind) throws {
        let store = try store(kind)
        #expect(try store.read("no/such") == nil)
        #expect(throws: BlobError.self) { try store.fetch("no/such", to: folder.path + "/none") }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
        try store.remove("no/such")
        do {
            _ = try store.fetch("no/such", to: folder.path + "/none")
        } catch {
            #expect(error.code == .absent)
        }
    }

    @Test(arguments: Kind.allCases) func `small bytes are put on a condition`(_ kind: Kind) throws {
        let store = try store(kind)
        let first = try store.put([1, 2], at: "small", if: .absent)
        #expect(try store.read("small")?.bytes == [1, 2])
        #expect(try store.read("small")?.version == first)
        func isChanged(_ condition: BlobCondition) -> Bool {
            do {
                _ = try store.put([9], at: "small", if: condition)
                return false
            } catch {
                return error.code == .changed
            }
        }
        #expect(isChanged(.absent))
        let second = try store.put([3], at: "small", if: .unchanged(first))
        #expect(isChanged(.unchanged(first)))
        #expect(try store.read("small")?.bytes == [3])
        #expect(try store.read("small")?.version == second)
        try store.remove("small")
        #expect(isChanged(.unchanged(second)))
        #expect(try store.read("small") == nil)
    }

    @Test(arguments: Kind.allCases) func `blobs are listed in their order, page by page`(_ kind: Kind) throws {
        let store = try store(kind)
        for key in ["l/b", "l/a/z", "l/a.b", "m/1"] { _ = try store.put(Array(key.utf8), at: key, if: .always) }
        #expect(try store.all("l/").map(\.key) == ["l/a.b", "l/a/z", "l/b"])
        #expect(try store.all("l/").map(\.size) == [5, 5, 3])
        #expect(try store.list("l/", after: "l/a.b").blobs.map(\.key) == ["l/a/z", "l/b"])
        let age = try #require(try store.all("m").first).modified.milliseconds - Timestamp.now.milliseconds
        #expect(abs(age) < 600_000)
        try store.remove("l/a/z")
        #expect(try store.all("l/").map(\.key) == ["l/a.b", "l/b"])
        #expect(try store.all("nothing").isEmpty)
    }

    @Test func `more than a page is listed whole`() throws {
        let store = try store(.folder)
        let keys = (0..<1500).map { "p/\(10_000 + $0)" }
        for key in keys { _ = try store.put([], at: key, if: .always) }
        #expect(try store.list("p/", after: nil).blobs.count == 1000)
        #expect(try store.all("p/").map(\.key) == keys)
    }

    @Test(arguments: Kind.allCases) func `a store is checked by use`(_ kind: Kind) throws {
        let store = try store(kind)
        try store.check()
        #expect(try store.all("check").isEmpty)
    }

    @Test(arguments: Kind.allCases) func `keys that lead elsewhere are no keys`(_ kind: Kind) throws {
        let store = try store(kind)
        for key in ["", "/a", "a//b", "../a", "a/../b", "a/", ".a", "a b", "ä", "a?b"] {
            #expect(throws: BlobError.self) { try store.put([1], at: key, if: .always) }
        }
    }
}
