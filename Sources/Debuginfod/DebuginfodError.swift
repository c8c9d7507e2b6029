// SPDX-License-Identifier: Apache-2.0

/// What is wrong with how servers, bounds or the cache were given; for people.
package struct DebuginfodError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}
