// SPDX-License-Identifier: Apache-2.0

/// A file that belongs to an image, and where it came from.
struct Candidate: Sendable {
    var path: String
    var identity: ELFIdentity
    var source: String
}
