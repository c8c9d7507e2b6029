// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What the search for an image's files came to.
package struct FoundImage: Sendable, Equatable {
    package var status: ImageStatus
    /// A file with the loaded segments and the unwind table, for unwinding.
    package var codePath: String?
    /// The file that names addresses best: DWARF over symbols; may be `codePath`.
    package var debugPath: String?
    /// Where the files were found, for people.
    package var source: String?
    /// Why not, or what is wanting, with the way to mend it.
    package var detail: String?

    package init(
        status: ImageStatus, codePath: String? = nil, debugPath: String? = nil, source: String? = nil,
        detail: String? = nil
    ) {
        self.status = status
        self.codePath = codePath
        self.debugPath = debugPath
        self.source = source
        self.detail = detail
    }
}
