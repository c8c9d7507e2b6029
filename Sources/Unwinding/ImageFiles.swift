// SPDX-License-Identifier: Apache-2.0
package import DebugImages

/// Where an image's parts lie on this machine; nil where they were not found.
package struct ImageFiles: Sendable {
    /// The file that was loaded, or an equal one.
    package var code: String?
    /// The file with its debug information; may be the same.
    package var debug: String?
    /// The file that was loaded, open for reading, in place of its path: its owner keeps it open.
    package var openCode: Int32?
    /// Told which of them is being read.
    package var activity: ImageActivity?

    package init(
        code: String? = nil, debug: String? = nil, openCode: Int32? = nil, activity: ImageActivity? = nil
    ) {
        self.code = code
        self.debug = debug
        self.openCode = openCode
        self.activity = activity
    }
}
