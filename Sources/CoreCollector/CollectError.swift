// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Why no record was made of a core.
package struct CollectError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// Of a system call that failed.
    init(_ what: String, errno code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
    }
}
