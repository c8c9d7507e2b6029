// SPDX-License-Identifier: Apache-2.0

/// The command line is wrong; the text says what to write instead.
struct UsageError: Error {
    var message: String
}
