// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Synchronization

/// A folder of a test's own, removed with the value; one that a whole suite shares, at the end of the process.
package final class TemporaryFolder: Sendable {
    package let path: String

    private static let existing = Mutex<Set<String>>([])
    private static let removalAtExit: Void = {
        atexit { TemporaryFolder.removeExisting() }
    }()

    package init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((parent + "/vaka-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ChildProcess.Failure(
                description: "cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.path = path
        _ = Self.removalAtExit
        Self.existing.withLock { _ = $0.insert(path) }
    }

    deinit {
        let path = path
        Self.existing.withLock { _ = $0.remove(path) }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func removeExisting() {
        for path in existing.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Names of the entries, sorted; empty when the folder is missing.
    package func entries(_ subfolder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + subfolder)) ?? []).sorted()
    }

    /// The batches that wait in a storage folder here, as paths within it.
    package func waitingBatches(_ storage: String = "") -> [String] {
        let queues = entries(storage + "/queues").map { "queues/\($0)/" }
        return ([""] + queues).flatMap { queue in
            entries(storage + "/" + queue + "pending").map { queue + "pending/" + $0 }
        }
    }
}
