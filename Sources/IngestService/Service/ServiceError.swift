// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The service cannot start or go on; the text says why and what to do.
package struct ServiceError: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }

    /// With the system's reason.
    static func system(_ what: String) -> ServiceError {
        ServiceError("\(what): \(String(cString: strerror(errno)))")
    }
}
