// SPDX-License-Identifier: Apache-2.0

/// Where and why a text is no JSON.
package struct JSONFault: Error, Equatable {
    /// Bytes from the start.
    package var offset: Int
    package var problem: String
}
