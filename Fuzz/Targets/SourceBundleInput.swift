// SPDX-License-Identifier: Apache-2.0
import CMinizip
import Glibc
import SourceBundles

/// A source bundle. Every other input is the manifest of one whose entries are right, so that what lies behind the zip
/// file's own checksums is reached.
enum SourceBundleInput {
    private static let source = Array("int a;\n".utf8)

    static func run(_ input: [UInt8]) {
        var bytes = input
        let isManifest = bytes.popLast().map { $0 & 1 == 1 } ?? false
        let file = InputFile(isManifest ? [] : bytes)
        if isManifest { pack(bytes, file.path) }
        if let bundle = try? SourceBundle(path: file.path) { check(bundle) }
        let path = String(decoding: bytes.prefix(300), as: UTF8.self)
        let normal = SourcePath.normalized(path)
        precondition(SourcePath.normalized(normal) == normal, "normal twice")
        precondition(!path.hasPrefix("/") || !("\(normal)/").contains("/../"), "leads upwards")
        _ = SourceMap(argument: path)?.applied(to: path)
    }

    private static func check(_ bundle: SourceBundle) {
        var total = 0
        for file in bundle.manifest.files {
            precondition(SourcePath.normalized(file.path) == file.path, "a path that is not normal")
            precondition(bundle.file(file.path) == file, "not found under its path")
            guard let contents = try? bundle.contents(file) else { continue }
            precondition(contents.count == file.size, "not of its size")
            precondition(Digest.hex(Digest.sha256(contents)) == file.sha256, "not of its checksum")
            total += contents.count
        }
        precondition(total <= SourceBundleLimits.totalBytes, "more than the bound")
        _ = try? bundle.checkContents()
    }

    private static func pack(_ manifest: [UInt8], _ path: String) {
        guard let stream = fopen(path, "wb"), let file = vaka_zip_create(stream) else { return }
        for (name, bytes) in [("files/" + Digest.hex(Digest.sha256(source)), source), ("manifest.json", manifest)] {
            _ = vaka_zip_begin_entry(file, name)
            if !bytes.isEmpty { zipWriteInFileInZip(file, bytes, UInt32(bytes.count)) }
            zipCloseFileInZip(file)
        }
        zipClose(file, nil)
    }
}
