// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Glibc

/// The folder of one service: database, images, uploads under way, credentials. One process at a time.
package struct DataFolder {
    /// Where in it what lies that cannot be made again.
    package struct Layout {
        package let path: String
        package let databaseName = "vaka.db"
        package let imagesName = "images"
        package let credentialsName = "credentials.json"
        /// Says where images are that are not here.
        package let blobsName = "blobs.json"
        /// Says which database has the rows that are not here.
        package let rowsName = "rows.json"

        package init(_ path: String) {
            self.path = path
        }

        package var database: String { path + "/" + databaseName }
        /// Images, packages and source bundles that were uploaded.
        package var images: String { path + "/" + imagesName }
        package var credentials: String { path + "/" + credentialsName }
        package var blobs: String { path + "/" + blobsName }
        package var rows: String { path + "/" + rowsName }
    }

    let path: String
    var layout: Layout { Layout(path) }
    private let lock: Int32

    static func images(_ path: String) -> String { Layout(path).images }
    static func symbolCaches(_ path: String) -> String { path + "/symcache" }
    /// Images from other debuginfod servers; they can be fetched again.
    static func fetchedImages(_ path: String) -> String { path + "/debuginfod" }
    var images: String { Self.images(path) }

    /// What is remembered of images that no worker survived.
    static func malformed(_ path: String, _ limits: ServiceLimits) -> MalformedImages {
        MalformedImages(
            folder: path + "/malformed", limits: .init(seconds: limits.workerSeconds, bytes: limits.workerBytes))
    }
    var database: String { layout.database }
    var temporary: String { path + "/tmp" }
    /// Images to be brought, and to be removed, once their store answers.
    var wantedImages: String { path + "/wanted-images" }
    var unremovedImages: String { path + "/unremoved-images" }
    /// Uploads that come in parts.
    var uploads: String { path + "/uploads" }
    var credentials: String { layout.credentials }

    /// Makes the folder where it is missing, takes its lock, and removes uploads that a stop cut off.
    init(path: String) throws(ServiceError) {
        self.path = path
        try Self.make(path)
        lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw ServiceError.system("cannot open \(path)/lock") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let busy = errno == EWOULDBLOCK
            let error = ServiceError.system("cannot lock \(path)/lock")
            close(lock)
            throw busy
                ? ServiceError(
                    "another vaka-server is using the data folder \(path); stop it first, or name another folder with --data"
                )
                : error
        }
        try Self.make(temporary)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? [] {
            unlink(temporary + "/" + name)
        }
    }

    func release() {
        close(lock)
    }

    private static func make(_ path: String) throws(ServiceError) {
        var partial = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            partial += "/" + part
            guard mkdir(partial, 0o700) == 0 || errno == EEXIST else {
                throw ServiceError.system("cannot make the folder \(partial)")
            }
        }
        guard access(path, W_OK) == 0 else { throw ServiceError.system("cannot write to the folder \(path)") }
    }
}
