// SPDX-License-Identifier: Apache-2.0

/// Paths of source files as texts; no file system is asked.
package enum SourcePath {
    /// Without empty parts, `.` and, as far as the path itself goes, `..`. A relative path stays one.
    package static func normalized(_ path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        guard needsWork(path) else { return path }
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(part)
            } else if let last = parts.last, last != ".." {
                parts.removeLast()
            } else if !isAbsolute {
                parts.append(part)
            }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    /// Whether a path is a folder's, or below it. Both are normal.
    package static func isBelow(_ path: String, _ folder: String) -> Bool {
        guard path.hasPrefix(folder) else { return false }
        return folder.hasSuffix("/") || path.utf8.count == folder.utf8.count
            || path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
    }

    /// The name has an ending that source files have.
    package static func isSource(_ path: String) -> Bool {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }

    /// Of compiled languages, and of what their generators read and write.
    private static let endings: Set<String> = [
        "c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "i", "ii", "inc", "inl", "ipp", "ixx", "tcc",
        "tpp", "txx", "cppm", "def", "td", "cu", "cuh", "m", "mm", "swift", "gyb", "rs", "go", "zig", "d", "di", "nim",
        "v", "vala", "s", "asm", "f", "for", "f77", "f90", "f95", "f03", "f08", "adb", "ads", "pas", "ml", "mli", "hs",
        "l", "ll", "lex", "y", "yy", "ypp", "re", "rl", "pyx", "pxd", "g4",
    ]

    /// Most paths are as they should be: no part but the first of an absolute one is empty, and none is `.` or `..`.
    private static func needsWork(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 { bytes in
            guard bytes.count > 1 else { return bytes.first == UInt8(ascii: ".") }
            var parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
            if parts.first?.isEmpty == true { parts = parts.dropFirst() }
            return parts.contains { $0.isEmpty || $0.count <= 2 && $0.allSatisfy { $0 == UInt8(ascii: ".") } }
        }
    }
}
