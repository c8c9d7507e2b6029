// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

extension ImageStore {
    /// The `.dwp` package of a build id; nil when the store has none.
    package func package(_ buildID: BuildID) -> String? {
        guard let path = debugInfo(buildID).map({ $0 + Self.packageEnding }), access(path, R_OK) == 0 else {
            return nil
        }
        return path
    }

    /// Moves a package beside the image that it belongs to, where every reader of the image finds it. `isBetter` is asked
    /// whether it takes the place of the one at the path given.
    package func add(
        package path: String, of buildID: BuildID, isBetter: (String) -> Bool
    ) throws(DebugImageError) -> AddOutcome {
        guard let image = debugInfo(buildID) else {
            throw DebugImageError(
                .unsupported, path: path,
                "belongs to an image that is not stored: upload the program with build id \(buildID) first")
        }
        let files = StoreFiles(root: folder)
        let root = root(buildID)
        let outcome: AddOutcome = try files.locked(root) { () throws(DebugImageError) in
            let place = image + Self.packageEnding
            if access(place, R_OK) == 0, !isBetter(place) { return .alreadyThere }
            let temporary = root + "/.incoming-\(getpid())-\(UInt64.random(in: 0 ... .max))"
            defer { unlink(temporary) }
            try files.bring(path, to: temporary, move: true)
            guard rename(temporary, place) == 0 else { throw files.failure("rename to", place) }
            files.sync(folder: root)
            return .stored
        }
        unlink(path)
        return outcome
    }

    private static var packageEnding: String { ".dwp" }
}
