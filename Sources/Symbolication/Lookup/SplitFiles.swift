// SPDX-License-Identifier: Apache-2.0
import CVakaSymbols
import DebugImages
import Glibc

/// The files that hold what was split off a program's debug information: a `.dwp` package, or a `.dwo` file a unit.
struct SplitFiles {
    private let folder: String
    private let packagePaths: [String]
    /// The package beside the program, open; nil where there is none, or nothing was split off.
    let package: DebugSections?
    private let isSplit: Bool

    private static let mostMissing = 4

    /// - Parameter chosen: a package to take instead of the one beside the program.
    init(_ debug: OpaquePointer, beside path: String, chosen: DebugSections? = nil) {
        folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        packagePaths =
            [path + ".dwp"] + (path.hasSuffix(".debug") ? [String(path.dropLast(6)) + ".dwp"] : [])
        isSplit = (0..<vaka_debug_unit_count(debug)).contains { Self.split(debug, $0) != nil }
        package = isSplit ? chosen ?? packagePaths.lazy.compactMap { try? DebugSections(path: $0) }.first : nil
    }

    /// The `.dwo` file of a unit, open; nil for a whole unit, one that a package completed, and where it is not found.
    func open(_ debug: OpaquePointer, unit: Int) -> DebugSections? {
        guard let split = Self.split(debug, unit), !split.is_attached, let path = existing(split) else { return nil }
        return try? DebugSections(path: path)
    }

    /// How many units were split off, and how many of them a package completed.
    func counts(_ debug: OpaquePointer) -> (completed: Int, all: Int) {
        let splits = (0..<vaka_debug_unit_count(debug)).compactMap { Self.split(debug, $0) }
        return (splits.count { $0.is_attached }, splits.count)
    }

    /// Names of files that are not there; the first few.
    func missing(_ debug: OpaquePointer) -> [String] {
        guard isSplit else { return [] }
        var result: [String] = []
        for unit in 0..<vaka_debug_unit_count(debug) where result.count < Self.mostMissing {
            guard let split = Self.split(debug, unit), !split.is_attached, existing(split) == nil else { continue }
            result.append(places(split).first ?? "a .dwo file without a name")
        }
        return result
    }

    /// All files that were looked for, with their sizes; nil for one that is missing.
    func companions(_ debug: OpaquePointer) -> [(path: String, size: UInt64?)] {
        guard isSplit else { return [] }
        var result = [(package?.path ?? packagePaths[0], package?.identity.fileSize)]
        for unit in 0..<vaka_debug_unit_count(debug) {
            guard let split = Self.split(debug, unit), let first = places(split).first else { continue }
            if split.is_attached, package != nil { continue }
            let path = existing(split) ?? first
            result.append((path, Self.size(path)))
        }
        return result
    }

    private func existing(_ split: vaka_split) -> String? {
        places(split).first { Self.size($0) != nil }
    }

    /// Where it was built, and beside the program.
    private func places(_ split: vaka_split) -> [String] {
        guard let name = split.name.string else { return [] }
        if name.hasPrefix("/") { return [name, Self.join(folder, Self.lastPart(name))] }
        let built = split.folder.string.map { Self.join($0, name) } ?? name
        return [built, Self.join(folder, name), Self.join(folder, Self.lastPart(name))]
    }

    /// Of a regular file: a name that leads to a pipe or a device is not opened.
    static func size(_ path: String) -> UInt64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(status.st_size)
    }

    private static func split(_ debug: OpaquePointer, _ unit: Int) -> vaka_split? {
        var split = vaka_split()
        return vaka_debug_split(debug, unit, &split) ? split : nil
    }

    private static func lastPart(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// A path that counts from a folder, unless it is whole already.
    static func join(_ folder: String, _ name: String) -> String {
        if name.hasPrefix("/") || folder.isEmpty { return name }
        return folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}

extension vaka_bytes {
    /// Nil where there is none.
    var string: String? {
        guard let start, size > 0 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: size), as: UTF8.self)
    }
}
