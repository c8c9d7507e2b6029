// SPDX-License-Identifier: Apache-2.0
import CLinux
import Delivery
import Glibc

/// The folder of a storage folder that records are put into. No symbolic link in it is followed, as it may belong to
/// another user than the one that this process runs as.
final class RecordFolder {
    private static let suffix = ".vakacrash"

    let path: String
    private let descriptor: Int32

    /// Makes the storage folder where it is missing.
    init(storage: String) throws(CollectError) {
        do {
            path = try StorageFolder(path: storage).crashes
        } catch {
            throw CollectError("\(error)")
        }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw CollectError("cannot open the folder \(path)", errno: errno) }
    }

    deinit { close(descriptor) }

    func recordPath(_ name: String) -> String { "\(path)/\(name)\(Self.suffix)" }

    func hasRecord(_ name: String) -> Bool {
        faccessat(descriptor, name + Self.suffix, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// How many records wait there; counted up to `limit`.
    func count(upTo limit: Int) -> Int {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let directory = fdopendir(own) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while count < limit, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(Self.suffix) { count += 1 }
        }
        return count
    }

    /// A file of this folder without a name, for reading and writing by its owner alone; gone when it is closed.
    func makeFile() throws(CollectError) -> Int32 {
        let file = vaka_nameless_file(descriptor)
        if file >= 0 { return file }
        // The file system has no such files: one with a name that is taken away at once.
        let (named, name) = try makeNamedFile()
        unlinkat(descriptor, name, 0)
        return named
    }

    /// A file that is to become a record.
    func makeRecord() throws(CollectError) -> RecordFile {
        let file = vaka_nameless_file(descriptor)
        if file >= 0 { return RecordFile(descriptor: file, folder: descriptor, temporaryName: nil) }
        let (named, name) = try makeNamedFile()
        return RecordFile(descriptor: named, folder: descriptor, temporaryName: name)
    }

    private func makeNamedFile() throws(CollectError) -> (Int32, String) {
        let name = ".collect-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CollectError("cannot make a file in \(path)", errno: errno) }
        return (file, name)
    }

    /// Gives a written record its name; false where there is one of that name already.
    func keep(_ record: RecordFile, _ name: String) throws(CollectError) -> Bool {
        do throws(RecordFile.Failure) {
            return try record.keep(name + Self.suffix)
        } catch {
            throw CollectError("cannot keep \(recordPath(name))", errno: error.code)
        }
    }
}
