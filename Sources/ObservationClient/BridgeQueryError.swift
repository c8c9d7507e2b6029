// SPDX-License-Identifier: Apache-2.0

/// It is not known whether a program has a bridge: what is there did not answer in time, broke off, or refused the token.
/// Not the same as having none.
public struct BridgeQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let description: String
}
