// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The storage folder could not be read or written.
package struct StorageError: Error, Hashable, CustomStringConvertible {
    package let what: String
    package let path: String
    package let code: Int32

    init(_ what: String, _ path: String, code: Int32 = errno) {
        self.what = what
        self.path = path
        self.code = code
    }

    package var description: String {
        let remedy =
            switch code {
            case ENOSPC, EDQUOT: "make room on that file system"
            case EWOULDBLOCK: "see which process holds it, and whether it was stopped"
            case EACCES, EPERM, EROFS: "give the process a folder it may write to, by storageDirectory"
            default: "see that the folder exists and may be written to"
            }
        return "cannot \(what) \(path): \(String(cString: strerror(code))); \(remedy)"
    }
}
