// SPDX-License-Identifier: Apache-2.0
import CMinizip
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import SourceBundles

/// Bundles as nobody's command makes them.
@Suite struct HostileBundleTests {
    private let folder: TemporaryFolder
    private static let source = Array("int a;\n".utf8)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func zip(_ entries: [(String, [UInt8])]) throws -> String {
        let path = folder.path + "/\(UInt64.random(in: 0 ... .max)).zip"
        let stream = try #require(fopen(path, "wb"))
        let file = try #require(vaka_zip_create(stream))
        for (name, bytes) in entries {
            #expect(vaka_zip_begin_entry(file, name) == ZIP_OK)
            if !bytes.isEmpty { #expect(zipWriteInFileInZip(file, bytes, UInt32(bytes.count)) == ZIP_OK) }
            #expect(zipCloseFileInZip(file) == ZIP_OK)
        }
        #expect(zipClose(file, nil) == ZIP_OK)
        return path
    }

    private func file(_ path: String, _ bytes: [UInt8] = source, size: Int? = nil) -> SourceBundleManifest.File {
        SourceBundleManifest.File(
            path: path, compilationFolder: nil, sha256: Digest.hex(Digest.sha256(bytes)),
            md5: Digest.hex(Digest.md5(bytes)), size: size ?? bytes.count, verified: false)
    }

    private func entry(_ bytes: [UInt8] = source) -> (String, [UInt8]) {
        ("files/" + Digest.hex(Digest.sha256(bytes)), bytes)
    }

    private func manifest(_ files: [SourceBundleManifest.File], missing: Int = 0) throws -> (String, [UInt8]) {
        let manifest = SourceBundleManifest(
            buildID: BuildID(hex: "0011")!, files: files, missing: .init(count: missing, files: []))
        return ("manifest.json", [UInt8](try ModelCoding.encode(manifest)))
    }

    /// What opening and reading it all comes to.
    private func code(_ path: String) -> SourceBundleError.Code? {
        do {
            try SourceBundle(path: path).checkContents()
            return nil
        } catch {
            #expect(error.message.count > 15, "\(error)")
            return error.code
        }
    }

    @Test func aWholeOneIsTaken() throws {
        #expect(code(try zip([entry(), try manifest([file("/a.c")])])) == nil)
        #expect(
            code(try zip([try manifest([file("/a.c"), file("/b.c")]), entry()])) == nil, "in any order, and shared")
        #expect(code(try zip([try manifest([])])) == nil)
    }

    @Test func whatIsNoBundleIsTold() throws {
        #expect(code(folder.path + "/none") == .unreadable)
        #expect(code(folder.path) == .unreadable)
        let text = folder.path + "/text"
        try Data("PK\u{3}\u{4}".utf8).write(to: URL(filePath: text))
        #expect(code(text) == .notABundle)
        #expect(code(try zip([])) == .notABundle)
        #expect(code(try zip([("readme.txt", Self.source)])) == .notABundle)
        #expect(code(try zip([("manifest.json", Array("{}".utf8))])) == .notABundle)
        let newer = Array(#"{"format":"vaka-source-bundle","version":2}"#.utf8)
        #expect(code(try zip([("manifest.json", newer)])) == .newerVersion)
        let lacking = Array(#"{"format":"vaka-source-bundle","version":1}"#.utf8)
        #expect(code(try zip([("manifest.json", lacking)])) == .malformed)
        let large = folder.path + "/large"
        try Data().write(to: URL(filePath: large))
        #expect(truncate(large, SourceBundleLimits.bundleBytes + 1) == 0)
        #expect(code(large) == .tooLarge)
    }

    @Test func entriesAndManifestMustAgree() throws {
        let whole = try manifest([file("/a.c")])
        let cases: [[(String, [UInt8])]] = [
            [whole], [entry(), entry(), whole], [whole, whole, entry()],
            [entry(), ("../../etc/cron.d/x", Self.source), whole], [entry(), ("/etc/x", Self.source), whole],
            [entry(), ("files/x", Self.source), whole],
            [entry(), (String(repeating: "n", count: 300), []), whole],
            [(entry().0, Array("int b;\n".utf8)), whole],  // other contents under the name
            [(entry().0, Array("int ab;\n".utf8)), whole],
        ]
        for (index, entries) in cases.enumerated() { #expect(code(try zip(entries)) == .malformed, "case \(index)") }
    }

    @Test func pathsAreNormalAndOnceEach() throws {
        for path in [
            "", "/a/../b.c", "/a//b.c", "./a.c", "/a/\u{1b}[2J.c", "/a\n.c", "/" + String(repeating: "x", count: 5000),
        ] {
            #expect(code(try zip([entry(), try manifest([file(path)])])) == .malformed, "\(path.prefix(20))")
        }
        #expect(code(try zip([entry(), try manifest([file("/a.c"), file("/a.c")])])) == .malformed)
        #expect(code(try zip([entry(), try manifest([file("/b.c"), file("/a.c")])])) == .malformed)
        for size in [-1, 0, 8, Int.max] {
            #expect(code(try zip([entry(), try manifest([file("/a.c", size: size)])])) == .malformed)
        }
        #expect(code(try zip([entry(), try manifest([file("/a.c")], missing: -1)])) == .malformed)
    }

    /// A few kilobytes that unpack to more than a file may have, or that claim little and hold much.
    @Test func bombsEndAtTheBounds() throws {
        let zeros = [UInt8](repeating: 0x20, count: SourceBundleLimits.fileBytes + 1)
        #expect(code(try zip([entry(zeros), try manifest([file("/a.c", zeros)])])) == .malformed)
        let path = try zip([entry(zeros), try manifest([file("/a.c", zeros, size: 7)])])
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let start = ContinuousClock.now
        for place in bytes.indices.dropLast(28) where bytes[place..<place + 4].elementsEqual([0x50, 0x4b, 1, 2]) {
            // Uncompressed size in the central directory.
            if bytes[place + 24..<place + 28].elementsEqual([1, 0, 0, 1]) {
                bytes.replaceSubrange(place + 24..<place + 28, with: [7, 0, 0, 0])
            }
        }
        try Data(bytes).write(to: URL(filePath: path))
        #expect(code(path) == .malformed)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func damagedOnesAreToldOrReadRight() throws {
        let text = Array((0..<200).map { "int number\($0) = \($0);\n" }.joined().utf8)
        let path = try zip([entry(text), entry(), try manifest([file("/a.c", text), file("/b.c")])])
        let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var generator = SeededRandom(seed: 11)
        for round in 0..<1500 {
            var bytes = whole
            if round % 3 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            // A file that is overwritten would be written out to the disk at once.
            unlink(path)
            try Data(bytes).write(to: URL(filePath: path))
            guard let bundle = try? SourceBundle(path: path) else { continue }
            for file in bundle.manifest.files {
                if let contents = try? bundle.contents(file) {
                    #expect(Digest.hex(Digest.sha256(contents)) == file.sha256)
                }
            }
        }
    }
}
