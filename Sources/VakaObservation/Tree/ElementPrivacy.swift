// SPDX-License-Identifier: Apache-2.0

/// What may be told of an element's content, and of what lies in it.
public enum ElementPrivacy: Hashable, Sendable {
    /// As it is where the element lies.
    case inherited
    /// Labels and values are not told, in snapshots and recordings, and nothing within unmasks them again.
    case masked
    /// A recording shows texts and images. Never unmasks a password's field, nor what is masked further out.
    case unmasked
}
