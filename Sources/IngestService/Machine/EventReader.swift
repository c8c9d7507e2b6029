// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Synchronization

/// Has a worker look into events for people who wait: one at a time, and not behind those that take files in.
final class EventReader: Sendable {
    /// Besides the one that is read for; each holds a thread that answers requests.
    static let mostWaiting = 4

    private let worker: Monitor<WorkerProcess>
    private let seconds: Double
    private let present = Mutex(0)

    init(_ worker: WorkerProcess, seconds: Double) {
        self.worker = Monitor(worker)
        self.seconds = seconds
    }

    func read(_ job: WorkerJob, _ event: Data) throws -> WorkerProcess.Outcome {
        let isTaken = present.withLock { present in
            guard present <= Self.mostWaiting else { return false }
            present += 1
            return true
        }
        guard isTaken else {
            throw APIError(
                429, "too_many_readers",
                "machine states and core files are made one at a time, and \(Self.mostWaiting) others wait already; try again "
                    + "in a few seconds",
                headers: [("Retry-After", "10")])
        }
        defer { present.withLock { $0 -= 1 } }
        return try worker.withLock { worker in try worker.run(job, body: event, seconds: seconds) }
    }

    /// After the one that is read for now.
    func stop() {
        worker.withLock { _ = $0.stop() }
    }
}
