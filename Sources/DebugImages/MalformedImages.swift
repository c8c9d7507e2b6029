// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
package import VakaModel

/// What is remembered of files whose reading exceeded a limit or killed its process, so that they are not tried again
/// and again: one small file for each, in a folder. A file that takes the place of such a one is another file and is read.
///
/// Safe for many threads and processes.
package struct MalformedImages: Sendable {
    /// What the reading was allowed; with more, it is tried again.
    package struct Limits: Sendable, Hashable, Codable {
        package var seconds: Double
        package var bytes: UInt64

        package init(seconds: Double, bytes: UInt64) {
            self.seconds = seconds
            self.bytes = bytes
        }

        fileprivate func allows(moreThan other: Limits) -> Bool { seconds > other.seconds || bytes > other.bytes }
    }

    private struct Entry: Codable {
        var key: String
        var path: String?
        var reason: String
        var limits: Limits
        /// The program that failed at it: another version may read it.
        var program: FileVersion?
        var at: Timestamp
    }

    private let folder: String
    private let limits: Limits
    private let program = FileVersion(path: "/proc/self/exe")

    private static let daysKept: Int64 = 7
    private static let mostEntries = 10_000

    /// The folder is made when there is something to remember.
    package init(folder: String, limits: Limits) {
        self.folder = folder
        self.limits = limits
    }

    package var refusals: ImageRefusals { ImageRefusals { reason(file: $0) } }

    /// Why a file is not read any more; nil where it may be.
    package func reason(file path: String) -> String? {
        FileVersion(path: path).flatMap { reason(Self.key($0)) }
    }

    /// The same for contents by their hash, wherever they are.
    package func reason(contents hash: String) -> String? { reason("contents " + hash) }

    package func remember(file path: String, reason: String) {
        guard let version = FileVersion(path: path) else { return }
        remember(Self.key(version), path: path, reason)
    }

    package func remember(contents hash: String, reason: String) {
        remember("contents " + hash, path: nil, reason)
    }

    private static func key(_ version: FileVersion) -> String {
        "file \(version.device) \(version.inode) \(version.size) \(version.modified)"
    }

    private func reason(_ key: String) -> String? {
        let path = place(key)
        // Mostly there is none.
        guard access(path, F_OK) == 0, let data = try? Data(contentsOf: URL(filePath: path)),
            let entry = try? ModelCoding.decode(Entry.self, from: data), entry.key == key
        else { return nil }
        let age = Timestamp.now.milliseconds - entry.at.milliseconds
        guard age < Self.daysKept * 86_400_000, entry.program == program, !limits.allows(moreThan: entry.limits) else {
            unlink(path)
            return nil
        }
        return entry.reason
    }

    /// What is remembered: the file where it has a name, why it is not read any more, and since when; the latest first.
    package func remembered() -> [(path: String?, reason: String, at: Timestamp)] {
        StoreFiles.entries(folder).compactMap { name in
            (try? Data(contentsOf: URL(filePath: folder + "/" + name)))
                .flatMap { try? ModelCoding.decode(Entry.self, from: $0) }
        }.map { ($0.path, $0.reason, $0.at) }.sorted { $0.at > $1.at }
    }

    /// All are tried again.
    package func forget() {
        for name in StoreFiles.entries(folder) { unlink(folder + "/" + name) }
    }

    /// A failure to remember costs time at the next report, no more.
    private func remember(_ key: String, path: String?, _ reason: String) {
        mkdir(folder, 0o700)
        let names = StoreFiles.entries(folder)
        if names.count >= Self.mostEntries, let one = names.randomElement() { unlink(folder + "/" + one) }
        let entry = Entry(key: key, path: path, reason: reason, limits: limits, program: program, at: .now)
        try? ModelCoding.encode(entry).write(to: URL(filePath: place(key)), options: .atomic)
    }

    /// FNV-1a: the key is in the file, too, and is compared.
    private func place(_ key: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return folder + "/" + String(hash, radix: 16)
    }
}
