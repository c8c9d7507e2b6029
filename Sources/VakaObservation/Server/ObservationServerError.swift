// SPDX-License-Identifier: Apache-2.0

/// Why a server cannot listen.
public struct ObservationServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, where, and what to do.
    public let description: String
}
