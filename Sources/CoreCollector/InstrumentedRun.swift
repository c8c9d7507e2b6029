// SPDX-License-Identifier: Apache-2.0
import CLinux
import CVakaRecord
import CoreFile
import CrashRecord
import Glibc

/// The run file of a process that had crash handlers of ours: it is mapped, so that the core names it.
struct InstrumentedRun {
    private static let suffix = ".vakarun"
    private static let longest = 1 << 20

    /// The file as it was.
    let bytes: [UInt8]
    let file: RunFile
    let path: String

    /// Nil where the process had none, or where it cannot be read.
    init?(notes: CoreNotes, process: HostProcess?) {
        guard let mapping = notes.files.first(where: { $0.path.hasSuffix(Self.suffix) && $0.fileOffset == 0 }) else {
            return nil
        }
        path = mapping.path
        let descriptor = Self.open(mapping, process)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = try? BoundedFile.read(descriptor: descriptor, limit: Self.longest), bytes.count <= Self.longest,
            let file = try? RunFile(bytes: bytes), notes.processID == file.pid
        else { return nil }
        self.bytes = bytes
        self.file = file
    }

    /// Its handlers left a record: nothing is to be added to that.
    var hasRecord: Bool { file.state == VAKA_RUN_CRASHED }

    /// The program's registers and stacks may hold what its own handlers would have left out.
    var keepsPointersOnly: Bool { file.header.pointers_only != 0 }

    private static func open(_ mapping: CoreNotes.MappedFile, _ process: HostProcess?) -> Int32 {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        guard let process else { return Glibc.open(mapping.path, flags) }
        let mapped = process.openMapped(mapping.start, mapping.end)
        if mapped >= 0 { return mapped }
        let root = process.openRoot()
        guard root >= 0 else { return -1 }
        defer { close(root) }
        return vaka_open_in_root(root, mapping.path)
    }
}
