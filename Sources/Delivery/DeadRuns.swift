// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import CrashRecord
import Glibc

/// What processes that are gone left in `runs/`. To be used under the folder's recovery lock.
package struct DeadRuns: Sendable {
    private static let suffix = ".vakarun"

    private let folder: StorageFolder

    package init(_ folder: StorageFolder) { self.folder = folder }

    /// Records that were begun go to `crashes/`, however far they go: the program may never start again. Those that were
    /// only allocated go away.
    package func keepRecords() {
        for name in folder.names(in: folder.runs) where name.hasSuffix(KeptReport.recordSuffix) {
            let path = folder.runs + "/" + name
            guard let descriptor = UnheldFile.open(path) else { continue }
            defer { close(descriptor) }
            guard let header = try? BoundedFile.read(descriptor: descriptor, limit: 1024), !header.isEmpty else {
                // One that a crash is making at this moment is empty, and locked next.
                if UnheldFile.isSettled(descriptor) { unlink(path) }
                continue
            }
            if let id = CrashRecordFile.recordID(ofHeader: header) {
                rename(path, "\(folder.crashes)/\(id)\(KeptReport.recordSuffix)")
            } else {
                unlink(path)
            }
        }
    }

    /// Calls `body` with the run file of each dead run and removes it, unless `body` says that it is to stay. A file that
    /// is none is removed when it is old.
    package func forEach(_ body: (RunFile) throws -> Bool) throws {
        for name in folder.names(in: folder.runs) where name.hasSuffix(Self.suffix) {
            let path = folder.runs + "/" + name
            guard let descriptor = UnheldFile.open(path) else { continue }
            defer { close(descriptor) }
            let isDone = try (try? RunFile(contentsOf: path)).map(body) ?? UnheldFile.isSettled(descriptor)
            if isDone { try DurableFile.remove(path) }
        }
    }
}
