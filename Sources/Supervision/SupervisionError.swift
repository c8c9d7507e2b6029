// SPDX-License-Identifier: Apache-2.0

/// The program could not be started.
package struct SupervisionError: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// As shells have it: 127 where there is no such program, 126 where it cannot be run.
    package let exitStatus: Int32
}
