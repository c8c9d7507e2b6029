// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Glibc
package import VakaModel

/// Blobs in a folder, which many machines may have mounted. Every file is written under another name, synced and renamed.
package struct FolderBlobStore: BlobStore {
    private static let pageSize = 1000
    /// Of files that are being written.
    private static let incoming = ".incoming-"

    private let folder: String
    private var files: StoreFiles { StoreFiles(root: folder) }

    /// It is made when the first blob comes.
    package init(folder: String) {
        self.folder = folder
    }

    package var name: String { folder }

    package func put(file path: String, at key: String) throws(BlobError) {
        try place(key) { (temporary) throws(DebugImageError) in
            try files.bring(path, to: temporary, move: false)
        }
    }

    package func put(
        _ bytes: [UInt8], at key: String, if condition: BlobCondition
    ) throws(BlobError) -> BlobVersion {
        let parent = try makeParent(key)
        do {
            try files.locked(parent) { () throws(DebugImageError) in
                guard holds(condition, key) else { throw DebugImageError(.unsupported, path: key, "") }
                try place(parent, key) { (temporary) throws(DebugImageError) in try write(bytes, temporary) }
            }
        } catch {
            throw error.code == .unsupported
                ? BlobError(.changed, "\(key) in \(folder) was changed by another meanwhile") : Self.failure(error)
        }
        return BlobVersion(text: FileDigest.sha256(bytes))
    }

    package func fetch(_ key: String, to path: String) throws(BlobError) -> String {
        let source = try self.path(key)
        guard access(source, F_OK) == 0 else { throw BlobError(.absent, "there is no \(key) in \(folder)") }
        do {
            try files.bring(source, to: path, move: false)
        } catch {
            unlink(path)
            throw Self.failure(error)
        }
        return try FileDigest.sha256(file: path)
    }

    package func read(_ key: String) throws(BlobError) -> (bytes: [UInt8], version: BlobVersion)? {
        let path = try self.path(key)
        guard access(path, F_OK) == 0 else {
            // A folder that is not mounted has nothing, either.
            guard errno == ENOENT || errno == ENOTDIR else { throw .away("cannot read \(path)") }
            return nil
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw .away("cannot read \(path)") }
        return (Array(data), BlobVersion(text: FileDigest.sha256(Array(data))))
    }

    package func size(_ key: String) throws(BlobError) -> Int64? {
        FileVersion(path: try path(key))?.size
    }

    package func remove(_ key: String) throws(BlobError) {
        let path = try path(key)
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw .away("cannot remove \(path)") }
        // Folders that hold nothing any more go, too, up to the root.
        var parts = key.split(separator: "/").dropLast()
        while !parts.isEmpty, rmdir(folder + "/" + parts.joined(separator: "/")) == 0 { parts.removeLast() }
    }

    package func list(_ prefix: String, after: String?) throws(BlobError) -> BlobPage {
        let keys = allKeys().filter { key in
            key.hasPrefix(prefix) && (after.map { $0.utf8.lexicographicallyPrecedes(key.utf8) } ?? true)
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let blobs = keys.prefix(Self.pageSize).compactMap { key in
            FileVersion(path: folder + "/" + key).map { version in
                BlobPage.Blob(
                    key: key, size: version.size, modified: Timestamp(milliseconds: version.modified / 1_000_000))
            }
        }
        return BlobPage(blobs: blobs, next: keys.count > Self.pageSize ? keys[Self.pageSize - 1] : nil)
    }

    package func removeRemains(before time: Timestamp) throws(BlobError) -> Int {
        var removed = 0
        walk { path, name in
            guard name.hasPrefix(Self.incoming), let version = FileVersion(path: path),
                version.modified / 1_000_000 < time.milliseconds
            else { return }
            if unlink(path) == 0 { removed += 1 }
        }
        return removed
    }

    private func path(_ key: String) throws(BlobError) -> String {
        guard BlobKey.isRight(key) else { throw BlobError(.local, "\"\(key)\" is no key of a blob") }
        return folder + "/" + key
    }

    private func makeParent(_ key: String) throws(BlobError) -> String {
        let path = try path(key)
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        do {
            try files.makeFolder(parent)
        } catch {
            throw Self.failure(error)
        }
        return parent
    }

    private func place(_ key: String, _ fill: (String) throws(DebugImageError) -> Void) throws(BlobError) {
        let parent = try makeParent(key)
        do {
            try place(parent, key, fill)
        } catch {
            throw Self.failure(error)
        }
    }

    private func place(
        _ parent: String, _ key: String, _ fill: (String) throws(DebugImageError) -> Void
    ) throws(DebugImageError) {
        let temporary = parent + "/" + Self.incoming + "\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(temporary) }
        try fill(temporary)
        guard rename(temporary, folder + "/" + key) == 0 else { throw files.failure("rename to", folder + "/" + key) }
        files.sync(folder: parent)
    }

    private func write(_ bytes: [UInt8], _ path: String) throws(DebugImageError) {
        do {
            try Data(bytes).write(to: URL(filePath: path))
        } catch {
            throw files.failure("write", path)
        }
    }

    private func holds(_ condition: BlobCondition, _ key: String) -> Bool {
        let present = (try? read(key))?.version
        return switch condition {
        case .always: true
        case .absent: present == nil
        case .unchanged(let version): present == version
        }
    }

    private func allKeys() -> [String] {
        var keys: [String] = []
        walk { path, name in
            if !name.hasPrefix(".") { keys.append(String(path.dropFirst(folder.count + 1))) }
        }
        return keys
    }

    private func walk(_ visit: (_ path: String, _ name: String) -> Void) {
        var open = [folder]
        while let place = open.popLast() {
            for name in StoreFiles.entries(place) {
                let path = place + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { open.append(path) } else { visit(path, name) }
            }
        }
    }

    private static func failure(_ error: DebugImageError) -> BlobError { BlobError(.away, error.description) }
}

extension BlobError {
    fileprivate static func away(_ what: String) -> BlobError {
        BlobError(.away, "\(what): \(String(cString: strerror(errno)))")
    }
}
