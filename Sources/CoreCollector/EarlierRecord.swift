// SPDX-License-Identifier: Apache-2.0
import CLinux
import CVakaRecord
import CoreFile
import CrashRecord
import Glibc

/// The record that handlers of ours left of a process just now: of a forked child, say, which has no run file of its own.
struct EarlierRecord {
    private static let suffix = ".vakacrash"
    private static let mostFiles = 4096
    /// The handler writes it before the kernel dumps the core.
    private static let longestBefore: UInt64 = 60_000_000_000

    let name: String
    let folder: String

    /// Looks where the program's environment says that its records go, below its own root folder.
    init?(of process: HostProcess, notes: CoreNotes) {
        guard let storage = process.variable("VAKA_STORAGE"), storage.hasPrefix("/"), let id = notes.processID else {
            return nil
        }
        folder = storage + "/crashes"
        let root = process.openRoot()
        guard root >= 0 else { return nil }
        defer { close(root) }
        let descriptor = vaka_open_in_root(root, folder)
        guard descriptor >= 0 else { return nil }
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
        defer { closedir(directory) }
        var looked = 0
        while looked < Self.mostFiles, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            looked += 1
            guard name.hasSuffix(Self.suffix), Self.isOf(id, dirfd(directory), name) else { continue }
            self.name = String(name.dropLast(Self.suffix.count))
            return
        }
        return nil
    }

    private static func isOf(_ process: Int, _ folder: Int32, _ name: String) -> Bool {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = ElfHeaders.bytes(file, 0, MemoryLayout<vaka_record_header>.size)
        guard bytes.starts(with: VAKA_RECORD_MAGIC.utf8), let header = bytes.value(vaka_record_header.self, at: 0),
            header.kind == VAKA_RECORD_CRASH.rawValue, Int(header.pid) == process
        else { return false }
        let now = CoreFacts.now(CLOCK_REALTIME)
        return header.crashed_ns <= now && now - header.crashed_ns < longestBefore
    }
}
