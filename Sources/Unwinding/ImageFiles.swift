// SPDX-License-Identifier: Apache-2.0

/// Where an image's parts lie on this machine; nil where they were not found.
struct ImageFiles: Sendable {
    /// The file that was loaded, or an equal one.
    var code: String?
    /// The file with its debug information; may be the same.
    var debug: String?
}
