// SPDX-License-Identifier: Apache-2.0

/// What keys, issues and images belong to.
package struct Project: Hashable, Sendable {
    package var id: Int64
    /// Its name in addresses: lowercase letters, digits and `-`.
    package var slug: String

    package init(id: Int64, slug: String) {
        self.id = id
        self.slug = slug
    }
}
