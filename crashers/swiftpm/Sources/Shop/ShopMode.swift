// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the program does.
enum ShopMode: String, CaseIterable {
    /// Ends well.
    case sell
    /// Unwraps nil.
    case unwrap
    /// Calls `fatalError`.
    case fatal
    /// Uses an index out of range, after it was suspended.
    case index
    /// Takes a value for what it is not.
    case cast
    /// Waits until everything is sent.
    case send
}

func exit(status: Int32) -> Never {
    Glibc.exit(status)
}
