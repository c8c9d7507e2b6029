// SPDX-License-Identifier: Apache-2.0

/// A source file as the debug information of an image names it.
package struct SourceReference: Hashable, Sendable {
    /// Joined with its folders, and normal.
    package var path: String
    package var compilationFolder: String?
    /// The MD5 checksums that the units give it (DWARF 5); empty where they give none.
    package var checksums: Set<[UInt8]>

    package init(path: String, compilationFolder: String?, checksums: Set<[UInt8]> = []) {
        self.path = path
        self.compilationFolder = compilationFolder
        self.checksums = checksums
    }
}
