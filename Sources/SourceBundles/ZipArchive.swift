// SPDX-License-Identifier: Apache-2.0
import CMinizip
import Glibc

/// A zip file whose directory was read and found within bounds. Not thread-safe.
final class ZipArchive {
    struct Entry {
        /// Unpacked.
        var size: Int
        fileprivate var position: unz64_file_pos
    }

    let path: String
    let size: Int
    private(set) var entries: [String: Entry] = [:]
    private let file: unzFile

    /// Names of a bundle's entries are shorter.
    private static let nameBytes = 128
    private static let chunkBytes = 1 << 16

    init(path: String) throws(SourceBundleError) {
        self.path = path
        let (stream, size) = try Self.open(path)
        self.size = size
        guard let file = vaka_unzip_open(stream) else {
            // It has closed the stream.
            throw SourceBundleError(.notABundle, path: path, "is no zip file, or a damaged one")
        }
        self.file = file
        try readDirectory()
    }

    deinit {
        unzClose(file)
    }

    /// Only regular files of a bundle's size: opening a pipe or a device could block or have effects.
    private static func open(_ path: String) throws(SourceBundleError) -> (UnsafeMutablePointer<FILE>, size: Int) {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw SourceBundleError(
                .unreadable, path: path, "cannot be opened: \(String(cString: strerror(errno))); check path and rights")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SourceBundleError(.unreadable, path: path, "is no regular file")
        }
        guard status.st_size <= SourceBundleLimits.bundleBytes else {
            close(descriptor)
            throw SourceBundleError(
                .tooLarge, path: path,
                "is larger than \(SourceBundleLimits.bundleBytes) bytes, the most that a bundle has")
        }
        guard let stream = fdopen(descriptor, "rb") else {
            close(descriptor)
            throw SourceBundleError(.unreadable, path: path, "cannot be read: no memory")
        }
        return (stream, status.st_size)
    }

    private func readDirectory() throws(SourceBundleError) {
        var global = unz_global_info64()
        guard unzGetGlobalInfo64(file, &global) == UNZ_OK else { throw damaged("its directory cannot be read") }
        guard global.number_entry <= UInt64(SourceBundleLimits.files) + 1 else {
            throw SourceBundleError(
                .tooLarge, path: path,
                "has \(global.number_entry) entries; a bundle has \(SourceBundleLimits.files) at most")
        }
        var status = global.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(file)
        while status == UNZ_OK {
            try readEntry()
            guard entries.count <= SourceBundleLimits.files + 1 else { throw damaged("its directory has no end") }
            status = unzGoToNextFile(file)
        }
        guard status == UNZ_END_OF_LIST_OF_FILE else { throw damaged("its directory ends too early") }
    }

    private func readEntry() throws(SourceBundleError) {
        var information = unz_file_info64()
        var name = [CChar](repeating: 0, count: Self.nameBytes + 1)
        var position = unz64_file_pos()
        guard
            unzGetCurrentFileInfo64(file, &information, &name, UInt(Self.nameBytes), nil, 0, nil, 0) == UNZ_OK,
            unzGetFilePos64(file, &position) == UNZ_OK
        else { throw damaged("an entry of its directory cannot be read") }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard information.size_filename == UInt(text.utf8.count), text.utf8.count < Self.nameBytes else {
            throw damaged("an entry's name is too long or broken")
        }
        let isPlain = information.flag & 1 == 0 && [0, 8].contains(information.compression_method)
        guard isPlain else { throw damaged("\(text): encrypted, or compressed in a way that bundles are not") }
        guard let size = Int(exactly: information.uncompressed_size), size <= SourceBundleLimits.manifestBytes else {
            throw SourceBundleError(.tooLarge, path: path, "\(text): larger than a bundle's files may be")
        }
        guard entries.updateValue(Entry(size: size, position: position), forKey: text) == nil else {
            throw damaged("\(text): twice in its directory")
        }
    }

    /// The contents of an entry; never more than `limit` bytes, whatever the directory says.
    func read(_ name: String, limit: Int) throws(SourceBundleError) -> [UInt8] {
        guard var entry = entries[name] else { throw damaged("\(name): not in it") }
        guard entry.size <= limit else { throw damaged("\(name): larger than \(limit) bytes") }
        guard unzGoToFilePos64(file, &entry.position) == UNZ_OK, unzOpenCurrentFile(file) == UNZ_OK else {
            throw damaged("\(name): cannot be read")
        }
        var isOpen = true
        defer { if isOpen { unzCloseCurrentFile(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(max(entry.size, 1), Self.chunkBytes))
        // The claimed size is not allocated beforehand: a few bytes may claim much.
        while true {
            let count = unzReadCurrentFile(file, &chunk, UInt32(chunk.count))
            guard count >= 0 else { throw damaged("\(name): its compressed bytes are damaged") }
            if count == 0 { break }
            guard bytes.count + Int(count) <= entry.size else { throw damaged("\(name): longer than it says") }
            bytes += chunk[..<Int(count)]
        }
        isOpen = false
        guard unzCloseCurrentFile(file) == UNZ_OK, bytes.count == entry.size else {
            throw damaged("\(name): shorter than it says, or of another checksum")
        }
        return bytes
    }

    private func damaged(_ what: String) -> SourceBundleError {
        SourceBundleError(.malformed, path: path, "\(what); make the bundle anew")
    }
}
