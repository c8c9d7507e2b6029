// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols
package import DebugImages
package import SourceBundles

/// The source files that the line tables of an image name.
package struct SourceFileList: Sendable {
    /// Sorted by path.
    package let files: [SourceReference]

    private static let maximumFiles = 1 << 20

    /// Empty for an image without DWARF. Throws for what is no ELF file.
    package init(path: String) throws(DebugImageError) {
        let information = try DebugInformation(try DebugSections(path: path))
        var found: [String: SourceReference] = [:]
        information.eachSourceFile { file in
            Self.collect(file, &found)
            return found.count < Self.maximumFiles
        }
        files = found.values.sorted { $0.path < $1.path }
    }

    private static func collect(_ file: vaka_source_file, _ found: inout [String: SourceReference]) {
        guard let name = file.name.string else { return }
        let folder = file.compilation_folder.string
        var written = file.folder.string.map { SplitFiles.join($0, name) } ?? name
        if file.is_relative, let folder { written = SplitFiles.join(folder, written) }
        let path = SourcePath.normalized(written)
        // <stdin>, <built-in>, <compiler-generated>
        guard !path.hasSuffix(">") else { return }
        var reference = found[path] ?? SourceReference(path: path, compilationFolder: folder)
        if let md5 = file.md5 { reference.checksums.insert(Array(UnsafeBufferPointer(start: md5, count: 16))) }
        found[path] = reference
    }
}
