// SPDX-License-Identifier: Apache-2.0

/// An alert did not arrive; the text says why, without a secret in it.
package struct AlertFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    /// There is no use in trying again.
    package var isFinal = false
    /// The target asks to be left alone for so long.
    package var retryAfter: Double?

    init(_ description: String, isFinal: Bool = false, retryAfter: Double? = nil) {
        self.description = description
        self.isFinal = isFinal
        self.retryAfter = retryAfter
    }
}
