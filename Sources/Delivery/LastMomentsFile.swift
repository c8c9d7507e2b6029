// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Glibc
package import VakaModel

/// Writes the last moments of this run. What it cannot write is lost: it must not disturb the program. Not thread-safe.
package final class LastMomentsFile {
    /// What a run's context says.
    package let name = BatchQueue.newID()
    private let folder: StorageFolder
    private let paths: [String]
    /// Held (flock) while they are written.
    private var descriptors: [Int32] = [-1, -1]
    private var current = 1

    /// Nil where there is no room for it.
    package init?(_ folder: StorageFolder) {
        guard (try? StorageFolder.make(folder.recordings)) != nil else { return nil }
        self.folder = folder
        paths = LastMoments.paths(name, folder)
    }

    deinit { close() }

    /// A part begins, in the place of the one before the last.
    package func begin(_ part: Recording) {
        current = 1 - current
        close(current)
        unlink(paths[current])
        // It may have been erased.
        _ = try? StorageFolder.make(folder.recordings)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        descriptors[current] = open(paths[current], flags, 0o600)
        guard descriptors[current] >= 0 else { return }
        _ = flock(descriptors[current], LOCK_EX | LOCK_NB)
        var head = part
        head.frames = []
        head.taps = []
        if let data = try? ModelCoding.encode(head) { append("H", data) }
    }

    /// As `RecordingFrame` is written.
    package func add(frame json: Data) { append("F", json) }
    package func add(_ tap: RecordingTap) { if let data = try? ModelCoding.encode(tap) { append("T", data) } }
    package func note(withheldTaps count: Int) { append("W", Data("\(count)".utf8)) }
    package func note(unchangedUntil time: Int) { append("E", Data("\(time)".utf8)) }

    /// Nothing is left of it.
    package func remove() {
        close()
        for path in paths { unlink(path) }
    }

    private func append(_ letter: String, _ json: Data) {
        guard descriptors[current] >= 0, let member = try? Gzip.compress(Data(letter.utf8) + json + Data("\n".utf8))
        else { return }
        // In one piece: what a process that ends leaves is whole, or known to be cut. What is lost on a full disk ends the file.
        let wrote = member.withUnsafeBytes { write(descriptors[current], $0.baseAddress, $0.count) }
        if wrote != member.count { close(current) }
    }

    private func close() {
        for index in descriptors.indices { close(index) }
    }

    private func close(_ index: Int) {
        if descriptors[index] >= 0 { Glibc.close(descriptors[index]) }
        descriptors[index] = -1
    }
}
