// SPDX-License-Identifier: Apache-2.0
import BlobStore
import Synchronization
import VakaModel

/// A blob store under the eyes of the service: once it does not answer, nobody waits for it again before it was tried by
/// `probe`. Thread-safe.
final class WatchedBlobs: BlobStore {
    private struct Problem {
        var error: BlobError
        var since: Timestamp
    }

    private let inner: any BlobStore
    private let metrics: Metrics
    private let log: Log
    private let problem = Mutex<Problem?>(nil)

    init(_ inner: any BlobStore, metrics: Metrics, log: Log) {
        self.inner = inner
        self.metrics = metrics
        self.log = log
    }

    var name: String { inner.name }
    /// Why it does not answer; nil while it does.
    var reason: String? { problem.withLock { $0?.error.description } }
    var isAway: Bool { problem.withLock { $0 != nil } }

    /// Asks it, where it did not answer before. True when it answers again.
    func probe() -> Bool {
        guard isAway else { return false }
        do throws(BlobError) {
            _ = try inner.read("check/probe")
        } catch {
            note(error)
            return false
        }
        guard
            let before = problem.withLock({ problem in
                defer { problem = nil }
                return problem
            })
        else { return false }
        let seconds = (Timestamp.now.milliseconds - before.since.milliseconds) / 1000
        log.info(
            "blobs_back", "\(name) answers again, after \(seconds) s",
            ["store": .string(name), "seconds": .integer(seconds)])
        return true
    }

    /// It is known to be away before anybody asked.
    func note(_ error: BlobError) {
        let isNew = problem.withLock { problem in
            defer { problem = Problem(error: error, since: problem?.since ?? .now) }
            return problem?.error != error
        }
        guard isNew else { return }
        log.error(
            "blobs_away",
            "the store of images does not answer: \(error). Reports are taken meanwhile; those whose images are not here wait",
            ["store": .string(name), "reason": .string(error.description)])
    }

    func put(file path: String, at key: String) throws(BlobError) {
        try watched(isWrite: true) { () throws(BlobError) in try inner.put(file: path, at: key) }
    }

    func put(_ bytes: [UInt8], at key: String, if condition: BlobCondition) throws(BlobError) -> BlobVersion {
        try watched(isWrite: true) { () throws(BlobError) in try inner.put(bytes, at: key, if: condition) }
    }

    func fetch(_ key: String, to path: String) throws(BlobError) -> String {
        try watched { () throws(BlobError) in try inner.fetch(key, to: path) }
    }

    func read(_ key: String) throws(BlobError) -> (bytes: [UInt8], version: BlobVersion)? {
        try watched { () throws(BlobError) in try inner.read(key) }
    }

    func size(_ key: String) throws(BlobError) -> Int64? {
        try watched { () throws(BlobError) in try inner.size(key) }
    }

    func remove(_ key: String) throws(BlobError) {
        try watched(isWrite: true) { () throws(BlobError) in try inner.remove(key) }
    }

    func list(_ prefix: String, after: String?) throws(BlobError) -> BlobPage {
        try watched { () throws(BlobError) in try inner.list(prefix, after: after) }
    }

    func removeRemains(before time: Timestamp) throws(BlobError) -> Int {
        try watched { () throws(BlobError) in try inner.removeRemains(before: time) }
    }

    /// Who may not write may still read.
    private func watched<Value>(
        isWrite: Bool = false, _ work: () throws(BlobError) -> Value
    ) throws(BlobError) -> Value {
        if let known = problem.withLock({ $0?.error }) { throw known }
        do throws(BlobError) {
            let value = try work()
            metrics.add(.blobRequestsDone)
            return value
        } catch {
            guard error.code != .changed, error.code != .absent else { throw error }
            metrics.add(.blobRequestsFailed)
            if isWrite ? error.code == .away : error.isNoAnswer {
                note(error)
            } else {
                log.warning("blob_failed", "\(error)", ["store": .string(name), "reason": .string(error.description)])
            }
            throw error
        }
    }
}
