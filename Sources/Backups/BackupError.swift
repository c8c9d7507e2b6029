// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What was asked for cannot be done; the text says why and what to do.
package struct BackupError: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }

    /// With the system's reason.
    static func system(_ what: String) -> BackupError {
        BackupError("\(what): \(String(cString: strerror(errno)))")
    }
}
