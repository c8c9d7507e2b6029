// SPDX-License-Identifier: Apache-2.0
import CMinizip
import Glibc
package import VakaModel

/// Makes the source bundle of one image. Equal sources give equal bytes.
package struct SourceBundleWriter {
    private let path: String
    private let file: zipFile
    private var written: Set<String> = []
    private var totalBytes = 0
    private var files: [SourceBundleManifest.File] = []
    private var missing: [SourceBundleManifest.Missing.File] = []
    private var missingCount = 0

    /// Writes a bundle to `path`, which is replaced, and answers what is in it.
    ///
    /// - Parameters:
    ///   - sources: what the image's debug information names.
    ///   - builtAt: when the image was written, in seconds since 1970: a file that was changed later, and whose
    ///     checksum is not known, is left out. Nil leaves none out for that.
    package static func write(
        _ path: String, buildID: BuildID, sources: [SourceReference], folders: SourceFolders, builtAt: Int?
    ) throws(SourceBundleError) -> SourceBundleManifest {
        var writer = try SourceBundleWriter(path)
        let manifest: SourceBundleManifest
        do {
            manifest = try writer.fill(buildID, sources, folders, builtAt: builtAt)
        } catch {
            zipClose(writer.file, nil)
            unlink(path)
            throw error
        }
        guard zipClose(writer.file, nil) == ZIP_OK else {
            unlink(path)
            throw writer.failure
        }
        return manifest
    }

    private init(_ path: String) throws(SourceBundleError) {
        self.path = path
        guard let stream = fopen(path, "wbe") else {
            throw SourceBundleError(.unreadable, path: path, "cannot be made: \(String(cString: strerror(errno)))")
        }
        guard let file = vaka_zip_create(stream) else {
            fclose(stream)
            throw SourceBundleError(.unreadable, path: path, "cannot be written: no memory")
        }
        self.file = file
    }

    private mutating func fill(
        _ buildID: BuildID, _ sources: [SourceReference], _ folders: SourceFolders, builtAt: Int?
    ) throws(SourceBundleError) -> SourceBundleManifest {
        for source in sources.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            try add(source, folders, builtAt: builtAt)
        }
        let manifest = SourceBundleManifest(
            buildID: buildID, files: files,
            missing: SourceBundleManifest.Missing(count: missingCount, files: missing))
        // The directory at the end leads to it, so that the manifest can tell of what was written.
        guard let text = try? ModelCoding.encode(manifest) else { throw failure }
        try entry(SourceBundle.manifestName, [UInt8](text))
        return manifest
    }

    private mutating func add(
        _ source: SourceReference, _ folders: SourceFolders, builtAt: Int?
    ) throws(SourceBundleError) {
        let contents: SourceFolders.Contents
        switch folders.read(source.path) {
        case .failure(let omission): return omit(source, omission.why)
        case .success(let read): contents = read
        }
        let md5 = Digest.md5(contents.bytes)
        if source.checksums.isEmpty {
            if let builtAt, contents.modified > builtAt { return omit(source, .changed) }
        } else if !source.checksums.contains(md5) {
            return omit(source, .changed)
        }
        let name = Digest.hex(Digest.sha256(contents.bytes))
        let isNew = !written.contains(name)
        guard files.count < SourceBundleLimits.files, source.path.utf8.count <= SourceBundleLimits.pathBytes,
            totalBytes + contents.bytes.count <= SourceBundleLimits.totalBytes
        else { return omit(source, .overLimit) }
        if isNew {
            try entry(SourceBundle.folder + name, contents.bytes)
            written.insert(name)
        }
        totalBytes += contents.bytes.count
        files.append(
            SourceBundleManifest.File(
                path: source.path, compilationFolder: source.compilationFolder, sha256: name, md5: Digest.hex(md5),
                size: contents.bytes.count, verified: !source.checksums.isEmpty))
    }

    private mutating func omit(_ source: SourceReference, _ why: SourceOmission) {
        missingCount += 1
        if missing.count < SourceBundleLimits.namedMissing {
            missing.append(SourceBundleManifest.Missing.File(path: source.path, why: why))
        }
    }

    private func entry(_ name: String, _ bytes: [UInt8]) throws(SourceBundleError) {
        guard vaka_zip_begin_entry(file, name) == ZIP_OK,
            bytes.isEmpty || zipWriteInFileInZip(file, bytes, UInt32(bytes.count)) == ZIP_OK,
            zipCloseFileInZip(file) == ZIP_OK
        else { throw failure }
    }

    private var failure: SourceBundleError {
        SourceBundleError(.storage, path: path, "cannot be written; see that its disk has space")
    }
}
