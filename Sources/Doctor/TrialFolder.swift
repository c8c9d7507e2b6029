// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A folder below the one that is to be tried, for the children's records; removed with the value.
final class TrialFolder {
    let path: String
    private var number = 0
    /// The named folder was made for this, and goes with it where nothing else was put in it.
    private let madeFolder: String?

    /// Nil, and errno says why, where it cannot be made.
    init?(in folder: String) {
        let isMissing = access(folder, F_OK) != 0
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            if errno == 0 { errno = EIO }
            return nil
        }
        madeFolder = isMissing ? folder : nil
        path = "\(folder)/.doctor-\(getpid())"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return nil }
    }

    deinit {
        let code = errno
        try? FileManager.default.removeItem(atPath: path)
        if let madeFolder { rmdir(madeFolder) }
        errno = code
    }

    /// Another folder in it.
    func next() -> String {
        number += 1
        return "\(path)/\(number)"
    }
}
