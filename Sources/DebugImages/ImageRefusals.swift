// SPDX-License-Identifier: Apache-2.0

/// Files that are not to be read again, because that ended badly before.
package struct ImageRefusals: Sendable {
    /// Why the file at a path is not read; nil where it may be.
    package let reason: @Sendable (_ path: String) -> String?

    package init(_ reason: @escaping @Sendable (_ path: String) -> String?) {
        self.reason = reason
    }

    package static let none = ImageRefusals { _ in nil }
}
