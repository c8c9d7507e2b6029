// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

/// Erases parts of what a storage folder keeps. Living processes may use it meanwhile; what they hold in memory is theirs.
///
/// What this process is sending of it is broken off before a call returns, and what another process is, soon after: of what was
/// erased a service has no more than it had received whole before.
package struct StoredData {
    private let folder: StorageFolder
    private let sdk: SDKInfo

    /// Nil where there is no such folder: then there is nothing to erase.
    package init?(path: String, sdk: SDKInfo) throws(StorageError) {
        guard access(path, F_OK) == 0 else { return nil }
        folder = try StorageFolder(existing: path)
        self.sdk = sdk
    }

    /// Records, run files of runs that are over, and what was made of such and waits in queues.
    package func removeReports() throws {
        try removeRecords()
        try removeItems(where: \.isReport)
    }

    package func removeItems(where isRemoved: (BatchItem) -> Bool) throws {
        try betweenRecoveries { try removeQueued(where: isRemoved) }
    }

    package func removeRecordings() throws {
        try betweenRecoveries {
            try Self.removeTree(folder.recordings)
            try removeQueued { $0.kind == .recording }
        }
    }

    /// All of it, what tells this installation from others included.
    package func removeAll() throws {
        try removeRecords()
        try betweenRecoveries {
            try Self.removeTree(folder.recordings)
            for name in folder.names(in: folder.queues) { try Self.removeTree(folder.queues + "/" + name) }
            try Self.removeTree(folder.pending)
        }
        Sending.breakOff(in: folder) { _ in true }
        for name in ["install_id", "sequence", "screening", "settings.json"] {
            try DurableFile.remove(folder.path + "/" + name)
        }
    }

    /// What an ended run left is not on its way into a queue meanwhile. A hook of the host may be part of that and be where
    /// this is called from: then it is not waited for any longer.
    private func betweenRecoveries(_ work: () throws -> Void) throws {
        let lock = try? FileLock(waitingFor: folder.recoveryLock)
        defer { withExtendedLifetime(lock) {} }
        try work()
    }

    private func removeQueued(where isRemoved: (BatchItem) -> Bool) throws {
        let common = try BatchQueue(folder: folder, sdk: sdk)
        // What waits for whoever sends next may be on its way into another queue.
        let lock = common.files().isEmpty ? nil : try? FileLock(waitingFor: common.place.sendLock)
        defer { withExtendedLifetime(lock) {} }
        try common.removeItems(where: isRemoved)
        for (_, queue) in BatchQueue.addressed(in: folder, sdk: sdk, limits: DeliveryLimits()) {
            try queue.removeItems(where: isRemoved)
        }
        Sending.breakOff(in: folder, where: isRemoved)
    }

    private func removeRecords() throws {
        let lock = try FileLock(waitingFor: folder.recoveryLock)
        defer { withExtendedLifetime(lock) {} }
        let runs = DeadRuns(folder)
        runs.keepRecords()
        for name in folder.names(in: folder.crashes) { try Self.removeTree(folder.crashes + "/" + name) }
        try runs.forEach { _ in true }
    }

    /// Never follows a link.
    private static func removeTree(_ path: String) throws(StorageError) {
        if unlink(path) == 0 || errno == ENOENT { return }
        guard errno == EISDIR || errno == EPERM else { throw StorageError("remove", path) }
        for name in StorageFolder.names(in: path) { try removeTree(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else { throw StorageError("remove", path) }
    }
}
