// SPDX-License-Identifier: Apache-2.0
import CLinux
import CoreFile
import Glibc
import VakaModel

/// The files of a process's images, opened while the process is still there: afterwards nothing leads to what lay in a
/// container or was replaced.
final class OpenImages {
    /// A file, and whether it is the very one that was mapped.
    struct File {
        var descriptor: Int32
        var isMapped: Bool
        var headers: ElfHeaders
    }

    private static let mostFiles = 2000
    /// Of our own.
    private static let descriptorsLeft: rlim_t = 64

    /// By the address where the file's first byte is mapped.
    private var files: [UInt64: File] = [:]

    /// None.
    init() {}

    /// Opens what has code. `process` nil: by the paths alone, as this process sees them.
    init(notes: CoreNotes, segments: CoreSegments, process: HostProcess?) {
        let most = Self.raiseLimit()
        let root = process?.openRoot() ?? -1
        defer { if root >= 0 { close(root) } }
        for (index, file) in notes.files.enumerated() where file.fileOffset == 0 && files.count < most {
            guard files[file.start] == nil, Self.hasCode(notes.files[index...], segments) else { continue }
            files[file.start] = Self.open(file, process, root)
        }
    }

    deinit { files.values.forEach { close($0.descriptor) } }

    func file(at address: UInt64) -> File? { files[address] }

    /// The file of an image, where it is the one that was mapped or has the image's build id (or, without one, its size).
    func file(of image: DebugImage) -> File? {
        guard let file = files[image.imageAddress.rawValue] else { return nil }
        if file.isMapped { return file }
        if let wanted = image.buildID { return file.headers.buildID == wanted ? file : nil }
        return file.headers.buildID == nil && file.headers.loadedBytes == image.imageSize ? file : nil
    }

    /// Whether code is among the file's mappings, which come one after the other. Cores of debuggers leave out the
    /// segments that they have no contents of: a file that is mapped in parts may be an image then.
    private static func hasCode(_ mappings: ArraySlice<CoreNotes.MappedFile>, _ segments: CoreSegments) -> Bool {
        guard let first = mappings.first else { return false }
        let rest = mappings.dropFirst().prefix { $0.path == first.path && $0.fileOffset > 0 }
        return !rest.isEmpty || segments.segment(of: first.start)?.isExecutable == true
    }

    private static func open(_ file: CoreNotes.MappedFile, _ process: HostProcess?, _ root: Int32) -> File? {
        if let process {
            let mapped = process.openMapped(file.start, file.end)
            if let found = checked(mapped, isMapped: true) { return found }
        }
        let path = CoreImages.plainPath(file.path)
        guard path.hasPrefix("/") else { return nil }
        let descriptor =
            root >= 0 ? vaka_open_in_root(root, path) : Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        return checked(descriptor, isMapped: false)
    }

    /// Only regular files: others could block or have effects.
    private static func checked(_ descriptor: Int32, isMapped: Bool) -> File? {
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let headers = ElfHeaders(descriptor: descriptor)
        else {
            close(descriptor)
            return nil
        }
        return File(descriptor: descriptor, isMapped: isMapped, headers: headers)
    }

    /// How many may be opened.
    private static func raiseLimit() -> Int {
        let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(mostFiles) + descriptorsLeft)
        setrlimit(resource, &limit)
        return limit.rlim_cur > descriptorsLeft ? Int(min(limit.rlim_cur - descriptorsLeft, rlim_t(mostFiles))) : 0
    }
}
