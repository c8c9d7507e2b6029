// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
import VakaModel

/// A set of build ids that outlives the process: an empty file each. Thread-safe.
struct BuildIDFolder {
    private let path: String

    init(path: String) {
        self.path = path
    }

    func add(_ buildID: BuildID) {
        mkdir(path, 0o700)
        let descriptor = open(path + "/\(buildID)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    func remove(_ buildID: BuildID) {
        unlink(path + "/\(buildID)")
    }

    var all: [BuildID] { StoreFiles.entries(path).compactMap { BuildID(hex: $0) } }
}
