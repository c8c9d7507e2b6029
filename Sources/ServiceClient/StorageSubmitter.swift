import Delivery
// SPDX-License-Identifier: Apache-2.0
import HTTPClient
package import VakaModel

/// Delivers what waits in a program's storage folder without that program: the crash records and dead runs become
/// batches, and the batches are sent by the rules of delivery, those that the program queued for other keys with those. The program itself may run meanwhile. Thread-safe; each
/// call blocks.
package struct StorageSubmitter: Sendable {
    /// What one call did.
    package struct Summary: Hashable, Sendable {
        /// The crashes and abnormal ends that were found and queued.
        package var events: [Event]
        package var deliveredBatches: Int
        /// Batch files that wait still: another process is sending them.
        package var waitingBatches: Int
    }

    private let endpoint: ServiceEndpoint
    private let key: String
    private let sdk: SDKInfo
    private let retry: RetryPolicy

    /// `key` is an ingest key (`vk_…`).
    package init(endpoint: ServiceEndpoint, key: String, sdk: SDKInfo, retry: RetryPolicy = .init()) {
        self.endpoint = endpoint
        self.key = key
        self.sdk = sdk
        self.retry = retry
    }

    /// Throws a `StorageError` when the folder cannot be used, a `ServiceError` when something could not be delivered
    /// within the policy's bound: it is then in the folder still. With `within`, no request begins after that time, nor
    /// lasts longer.
    package func submit(storage: String, within: Duration? = nil) throws -> Summary {
        try ServiceSession.check(secret: key)
        let outbox = try Outbox(
            folder: StorageFolder(existing: storage), destination: Destination(endpoint: endpoint, key: key), sdk: sdk,
            transport: CurlTransport(), timekeeper: retry.timekeeper)
        try outbox.recoverSpools(time: retry.timekeeper.time)
        let events = try CrashRecovery(outbox).run(time: retry.timekeeper.time)
        try drain(outbox, within: within)
        try outbox.queue.add([], losses: outbox.takeLosses(), time: retry.timekeeper.time)
        return Summary(
            events: events, deliveredBatches: outbox.deliveredBatches, waitingBatches: outbox.waiting)
    }

    private func drain(_ outbox: Outbox, within: Duration?) throws(ServiceError) {
        let start = retry.timekeeper.uptime
        let deadline = start + min(retry.bound, within ?? retry.bound)
        while true {
            let left = within.map { $0 - (retry.timekeeper.uptime - start) }
            switch outbox.drain(within: left) {
            case .done, .busy: return
            case .outOfTime:
                throw ServiceError(
                    .timedOut, "\(endpoint): not everything could be delivered in time; it is still in the folder")
            case .stopped:
                throw ServiceError(
                    .unauthorized,
                    "\(endpoint): the key was refused (\(outbox.problem ?? "401")); "
                        + "see that it is this service's", status: 401)
            case .waiting(let until):
                guard until < deadline else {
                    throw ServiceError(
                        .unreachable,
                        "not everything could be delivered (\(outbox.problem ?? "no answer")); "
                            + "it is still in the folder: try again later")
                }
                let problem = "\(endpoint): \(outbox.problem ?? "no answer")"
                retry.wait(until - retry.timekeeper.uptime, because: problem)
            }
        }
    }
}
