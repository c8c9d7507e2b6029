// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The files that may be debug images: a named file itself, or the files in a folder and those below it.
enum ImageFiles {
    /// So that a mistyped "/" ends.
    private static let maximum = 100_000

    static func found(at path: String) throws -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandError("\(path): there is no such file or folder")
        }
        guard isFolder else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        } catch {
            throw CommandError("\(path): cannot be searched: \(systemMessage(error))")
        }
        guard names.count <= maximum else {
            throw CommandError("\(path): \(names.count) files are in it, more than \(maximum); name a folder below it")
        }
        return names.map { path + "/" + $0 }.filter(isRegularFile)
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    private static func isRegularFile(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == .typeRegular
    }
}
