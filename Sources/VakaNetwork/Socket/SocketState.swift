// SPDX-License-Identifier: Apache-2.0

/// What becomes of a socket; numbers are those of errno.
public enum SocketState: Hashable, Sendable {
    /// It is not connected yet, for that reason.
    case waiting(Int32)
    /// It is connected.
    case ready
    /// It broke, for that reason.
    case failed(Int32)
    /// It was closed, by whatever side.
    case closed
    /// The program gave it up.
    case cancelled
}
