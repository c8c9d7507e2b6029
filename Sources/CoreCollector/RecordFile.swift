// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// A record that is being written: nobody sees it before it is whole.
final class RecordFile {
    struct Failure: Error {
        let code: Int32
    }

    let descriptor: Int32
    private let folder: Int32
    /// Where the file system has no files without a name.
    private let temporaryName: String?

    /// Takes the file over, not the folder.
    init(descriptor: Int32, folder: Int32, temporaryName: String?) {
        self.descriptor = descriptor
        self.folder = folder
        self.temporaryName = temporaryName
    }

    deinit {
        close(descriptor)
        if let temporaryName { unlinkat(folder, temporaryName, 0) }
    }

    var bytes: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// To be written anew.
    func empty() {
        ftruncate(descriptor, 0)
        lseek(descriptor, 0, SEEK_SET)
    }

    /// On return it survives a loss of power; false where the name is taken. It belongs to the owner of the folder, who
    /// is to send it and to remove it.
    func keep(_ name: String) throws(Failure) -> Bool {
        var owner = stat()
        if geteuid() == 0, fstat(folder, &owner) == 0 { fchown(descriptor, owner.st_uid, owner.st_gid) }
        guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
        let result =
            temporaryName.map { linkat(folder, $0, folder, name, 0) } ?? vaka_name_file(descriptor, folder, name)
        if result != 0, errno == EEXIST { return false }
        guard result == 0, fsync(folder) == 0 else { throw Failure(code: errno) }
        return true
    }
}
