// SPDX-License-Identifier: Apache-2.0
import Glibc

extension SourceFolders {
    /// The folder whose sources may be read where none is named: the Git work tree that the current folder lies in, else
    /// the current folder itself. None where that is `/`.
    package static func current() -> [String] {
        guard let buffer = getcwd(nil, 0) else { return [] }
        defer { free(buffer) }
        let folder = workTree(of: String(cString: buffer))
        return folder == "/" ? [] : [folder]
    }

    /// The nearest folder upwards with a `.git` of the same owner as `folder`: another user's would widen what is read.
    static func workTree(of folder: String) -> String {
        guard let owner = owner(folder) else { return folder }
        var candidate = folder
        while candidate != "/", !candidate.isEmpty {
            if Self.owner(candidate + "/.git") == owner { return candidate }
            candidate = candidate.lastIndex(of: "/").map { String(candidate[..<$0]) } ?? ""
        }
        return folder
    }

    private static func owner(_ path: String) -> uid_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }
}

extension SourceFolders {
    /// When an image came to be on this machine, in seconds since 1970: sources that were written later are not what it
    /// was built from. Unpacking an image leaves its own time older than its sources', so the later of both counts.
    package static func writeTime(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return max(status.st_mtim.tv_sec, status.st_ctim.tv_sec)
    }
}
