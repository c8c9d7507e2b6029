// SPDX-License-Identifier: Apache-2.0
import Delivery
import Synchronization
import VakaModel

/// A part of what the SDK keeps.
enum KeptData {
    case reports, recordings, health, events

    /// Whether an item that waits is part of it.
    func holds(_ item: BatchItem) -> Bool {
        if item.isReport { return self == .reports }
        return holds(item.kind)
    }

    /// Of items that are no reports.
    func holds(_ kind: ItemKind) -> Bool {
        switch kind {
        case .recording: self == .recordings
        case .health: self == .health
        // Tells of what was lost, not of the host.
        case .clientReport: false
        default: self == .events
        }
    }

    static func erase(_ parts: [KeptData], path: String) throws {
        guard let stored = try StoredData(path: path, sdk: CrashCore.sdk) else { return }
        for part in parts {
            switch part {
            case .reports: try stored.removeReports()
            case .recordings: try stored.removeRecordings()
            case .health, .events: try stored.removeItems(where: part.holds)
            }
        }
    }
}

extension KeptData {
    static func eraseAll(path: String) throws {
        try StoredData(path: path, sdk: CrashCore.sdk)?.removeAll()
    }
}

extension Client {
    /// In memory and on disk, after it was stopped. Blocks.
    func eraseAll() throws {
        try afterWriting {
            intake.withLock { $0.remove { _ in true } }
            try KeptData.eraseAll(path: outbox.queue.folder.path)
        }
    }

    @discardableResult
    func logHealthMessage(_ message: String) -> Vaka.APIError? {
        add(item(.health, ["message": .string(message)]))
    }

    /// Erases the parts in memory and on disk. Blocks.
    func clear(_ parts: [KeptData]) throws {
        // Before, so that no part is queued meanwhile; afterwards, since the files of a recording go with the others.
        if parts.contains(.recordings) { recordings.cleared() }
        defer { if parts.contains(.recordings) { recordings.cleared() } }
        try afterWriting {
            intake.withLock { intake in intake.remove { item in parts.contains { $0.holds(item.kind) } } }
            try KeptData.erase(parts, path: outbox.queue.folder.path)
        }
    }

    private func afterWriting(_ work: @Sendable () throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        scheduler.writeAndWait {
            do {
                try work()
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
