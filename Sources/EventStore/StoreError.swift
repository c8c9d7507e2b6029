// SPDX-License-Identifier: Apache-2.0

/// The store could not do what was asked.
package struct StoreError: Error, CustomStringConvertible {
    package enum Code: String, Sendable {
        case cannotOpen
        case full
        /// The file system takes no writing.
        case readOnly
        case busy
        /// The database cannot be reached.
        case away
        case damaged
        case newerSchema
        /// There is one of this name.
        case exists
        /// What is kept was sealed by a key that is not there.
        case wrongKey
        case failed
    }

    package var code: Code
    package var description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
