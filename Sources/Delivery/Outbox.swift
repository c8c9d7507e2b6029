// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Synchronization
package import VakaModel

/// All that waits in a folder, and what sends it: the queue of one destination, which new batches go to, and what was
/// queued for others, which goes to those. Thread-safe.
package final class Outbox: Sendable {
    /// Of the destination.
    package let queue: BatchQueue

    private let sdk: SDKInfo
    private let own: Deliverer
    private let others = Mutex<[Destination: Deliverer]>([:])
    private let timekeeper: any Timekeeper
    private let transport: any Transport
    private let deliverer: @Sendable (BatchQueue, Destination) -> Deliverer

    package init(
        folder: StorageFolder, destination: Destination, sdk: SDKInfo, limits: DeliveryLimits = DeliveryLimits(),
        transport: any Transport, timekeeper: any Timekeeper = SystemTimekeeper(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(StorageError) {
        self.sdk = sdk
        self.timekeeper = timekeeper
        self.transport = transport
        queue = try BatchQueue(folder: folder, destination: destination, sdk: sdk, limits: limits)
        deliverer = { queue, destination in
            Deliverer(queue: queue, destination: destination, transport: transport, timekeeper: timekeeper, log: log)
        }
        own = deliverer(queue, destination)
        self.destination = destination
    }

    package let destination: Destination

    /// The queue of that name, where there is one.
    package func queue(named id: String) -> BatchQueue? {
        id == destination.id ? queue : addressed.first { $0.destination.id == id }?.queue
    }

    /// Batch files that wait, for whomever.
    package var waiting: Int {
        queue.files().count + addressed.reduce(0) { $0 + $1.queue.files().count }
    }

    /// Why the last round did not deliver everything, for a person.
    package var problem: String? { all.lazy.compactMap(\.problem).first }
    package var deliveredBatches: Int { all.reduce(0) { $0 + $1.deliveredBatches } }

    /// A new file for what is in memory; nil where it cannot be made.
    package func makeSpoolFile() -> SpoolFile? { SpoolFile(folder: queue.spool) }

    /// Queues what processes that are gone had in memory.
    package func recoverSpools(time: Timestamp) throws {
        let lock = try FileLock(waitingFor: queue.folder.recoveryLock)
        defer { withExtendedLifetime(lock) {} }
        for queue in [queue] + addressed.map(\.queue) { try SpoolFile.recover(queue, time: time) }
    }

    /// The losses counted since the last call, for the next `client_report`.
    package func takeLosses() -> Losses {
        var losses = Losses()
        for deliverer in all { losses.merge(deliverer.takeLosses()) }
        return losses
    }

    package func note(_ losses: Losses) { own.note(losses) }

    /// Nothing more is sent by this value; a request that is under way is let come to its end.
    package func close() {
        for deliverer in all { deliverer.close() }
    }

    package var isStopped: Bool { own.isStopped }

    /// Asks the service for a document, with the destination's key. `version` is the one that is known: the answer to it is 304
    /// where it is the newest. Not beside a `drain`.
    package func get(
        _ path: String, version: String?, timeout: Duration
    ) throws(TransportFailure) -> TransportAnswer {
        var headers = ["Authorization": "Bearer \(destination.key)"]
        if let version, version.utf8.allSatisfy({ (0x23...0x7e).contains($0) }) {
            headers["If-None-Match"] = "\"\(version)\""
        }
        return try transport.send(
            TransportRequest(url: destination.endpoint.url(path), headers: headers, body: Data(), timeout: timeout))
    }

    /// See ``Deliverer/drain(within:timeout:impatient:finishing:)``. A refused key of another destination does not count.
    package func drain(
        within: Duration? = nil, impatient: Bool = false, finishing: Bool = false
    ) -> Deliverer.Outcome {
        let deadline = within.map { timekeeper.uptime + $0 }
        adopt()
        var outcome = own.drain(within: within, impatient: impatient, finishing: finishing)
        for (destination, queue) in addressed where !queue.files().isEmpty {
            let left = deadline.map { max(.zero, $0 - timekeeper.uptime) }
            let other = other(queue, destination).drain(within: left, impatient: impatient, finishing: finishing)
            outcome = Self.sum(outcome, other)
        }
        return outcome
    }

    private var addressed: [(destination: Destination, queue: BatchQueue)] {
        BatchQueue.addressed(in: queue.folder, sdk: sdk, limits: queue.limits)
            .filter { $0.destination.key != destination.key }
    }

    private var all: [Deliverer] { [own] + others.withLock { Array($0.values) } }

    private func other(_ queue: BatchQueue, _ destination: Destination) -> Deliverer {
        others.withLock { others in
            if let known = others[destination] { return known }
            let new = deliverer(queue, destination)
            others[destination] = new
            return new
        }
    }

    /// What waits for whoever sends next is this destination's now.
    private func adopt() {
        guard let common = try? BatchQueue(folder: queue.folder, sdk: sdk, limits: queue.limits) else { return }
        guard !common.files().isEmpty, let lock = try? FileLock.ifFree(common.place.sendLock) else { return }
        defer { withExtendedLifetime(lock) {} }
        for file in common.files() {
            do {
                if let batch = try common.batch(file) { try queue.add(batch.items, time: batch.sentAt) }
            } catch is DecodingError {
                var losses = Losses()
                losses.add(.unreadable, kind: "batch")
                note(losses)
            } catch {
                return
            }
            try? common.remove(file)
        }
    }

    private static func sum(_ own: Deliverer.Outcome, _ other: Deliverer.Outcome) -> Deliverer.Outcome {
        switch (own, other) {
        case (_, .done), (_, .stopped): own
        case (.done, _): other
        case (.waiting(let one), .waiting(let two)): .waiting(until: min(one, two))
        case (.stopped, .waiting): other
        default: own
        }
    }
}
