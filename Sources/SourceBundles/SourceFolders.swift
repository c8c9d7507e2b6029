// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The folders of this machine whose source files may be read, and what is read from them.
///
/// Which files an image names is up to whoever made it. So only regular files with the name and the contents of source
/// are read, and only where they really lie in one of the folders, whatever links lead there.
package struct SourceFolders: Sendable {
    package struct Contents: Sendable {
        package var bytes: [UInt8]
        /// When it was last written, in seconds since 1970.
        package var modified: Int
    }

    /// As they were given, and those that the maps lead to.
    package let folders: [String]
    private let maps: [SourceMap]
    /// The folders, and where they really are.
    private let roots: [String]

    /// - Parameters:
    ///   - folders: what lies below them may be read; a relative path of the debug information is sought below each.
    ///   - maps: where folders of the debug information are; what they lead to may be read, too.
    package init(folders: [String], maps: [SourceMap] = []) {
        self.folders = (folders + maps.map(\.to)).map(SourcePath.normalized)
        self.maps = maps
        roots = self.folders.compactMap { folder in
            guard let real = realpath(folder, nil) else { return nil }
            defer { free(real) }
            return String(cString: real)
        }
    }

    /// Nothing can be read.
    package var isEmpty: Bool { roots.isEmpty }

    /// Reads the file that debug information calls `path`, which is normal.
    package func read(_ path: String) -> Result<Contents, Omission> {
        guard SourcePath.isSource(path) else { return .failure(Omission(.notSource)) }
        var omission: SourceOmission?
        for candidate in candidates(path) {
            switch readFile(candidate) {
            case .success(let contents): return .success(contents)
            case .failure(let found):
                if omission == nil || omission == .notFound { omission = found.why }
            }
        }
        return .failure(Omission(omission ?? .outside))
    }

    /// Why a file was not read.
    package struct Omission: Error {
        package let why: SourceOmission
        init(_ why: SourceOmission) { self.why = why }
    }

    private func candidates(_ path: String) -> [String] {
        if let mapped = maps.lazy.compactMap({ $0.applied(to: path) }).first { return [mapped] }
        return path.hasPrefix("/") ? [path] : folders.map { SourcePath.normalized($0 + "/" + path) }
    }

    private func readFile(_ path: String) -> Result<Contents, Omission> {
        guard let found = realpath(path, nil) else {
            // Of what lies elsewhere not even its absence is told.
            let isInside = isAllowed(path) || folders.contains { SourcePath.isBelow(path, $0) }
            return .failure(Omission(isInside ? .notFound : .outside))
        }
        let real = String(cString: found)
        free(found)
        guard isAllowed(real) else { return .failure(Omission(.outside)) }
        guard SourcePath.isSource(real) else { return .failure(Omission(.notSource)) }
        var status = stat()
        guard lstat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Omission(.notRegular))
        }
        let descriptor = open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(Omission(.unreadable)) }
        defer { close(descriptor) }
        // What was opened, should a folder on the way have been exchanged meanwhile.
        guard let opened = Self.path(of: descriptor), isAllowed(opened) else { return .failure(Omission(.outside)) }
        return Self.contents(descriptor)
    }

    private func isAllowed(_ path: String) -> Bool {
        roots.contains { SourcePath.isBelow(path, $0) }
    }

    private static func path(of descriptor: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: SourceBundleLimits.pathBytes)
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func contents(_ descriptor: Int32) -> Result<Contents, Omission> {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Omission(.notRegular))
        }
        guard status.st_size <= SourceBundleLimits.fileBytes else { return .failure(Omission(.tooLarge)) }
        guard let bytes = bytes(of: descriptor, count: Int(status.st_size)) else {
            return .failure(Omission(.unreadable))
        }
        guard !bytes.contains(0) else { return .failure(Omission(.notText)) }
        return .success(Contents(bytes: bytes, modified: status.st_mtim.tv_sec))
    }
    private static func bytes(of descriptor: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, done)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { return nil }
            // Shortened meanwhile.
            if part == 0 { break }
            done += part
        }
        bytes.removeSubrange(done...)
        return bytes
    }
}
