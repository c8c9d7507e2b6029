package import Delivery
import FoundationEssentials
// SPDX-License-Identifier: Apache-2.0
package import HTTPClient
package import VakaModel

/// Sends reports to the service's ingest route, without a queue on disk. Thread-safe; each call blocks.
package struct ReportSubmitter: Sendable {
    private let session: ServiceSession
    private let sdk: SDKInfo
    private let installID: String
    private let limits: DeliveryLimits

    /// `key` is an ingest key (`vk_…`).
    package init(
        endpoint: ServiceEndpoint, key: String, sdk: SDKInfo, installID: String,
        limits: DeliveryLimits = DeliveryLimits(), retry: RetryPolicy = .init()
    ) {
        session = ServiceSession(endpoint: endpoint, secret: key, policy: retry)
        self.sdk = sdk
        self.installID = installID
        self.limits = limits
    }

    /// Sends the events, each crash with the end of its session, in as many batches as their sizes ask for. The reply
    /// speaks of the events alone: `accepted` counts them, and a rejection's index is that of the array.
    /// Throws at the first batch that does not get through; the events of those before are delivered, and sending all
    /// again is harmless, since each is stored once.
    package func submit(events: [Event]) throws(ServiceError) -> IngestReply {
        var entries: [Entry] = []
        for (index, event) in events.enumerated() {
            do {
                let items = try BatchItem.items(of: event)
                entries += items.map { Entry(item: $0, event: $0.kind == .event ? index : nil) }
            } catch {
                throw ServiceError(.refused, "event \(event.eventID) cannot be written as JSON: \(error)")
            }
        }
        var total = IngestReply(accepted: 0)
        for part in BatchDivision.divide(entries, limits: limits, item: \.item) {
            try send(part, into: &total)
        }
        return total
    }

    private struct Entry {
        var item: BatchItem
        /// The index of the event it stands for; nil for what travels along.
        var event: Int?
    }

    private func send(_ entries: [Entry], into total: inout IngestReply) throws(ServiceError) {
        do {
            let reply = try post(entries.map(\.item))
            total.directives += reply.directives
            let rejected = reply.rejected.filter { entries.indices.contains($0.index) }
            for rejection in rejected {
                guard let event = entries[rejection.index].event else { continue }
                total.rejected.append(.init(index: event, code: rejection.code, reason: rejection.reason))
            }
            let refused = Set(rejected.map(\.index))
            total.accepted += entries.indices.count { entries[$0].event != nil && !refused.contains($0) }
        } catch  where error.code == .tooLarge {
            try sendSmaller(entries, error, into: &total)
        }
    }

    private func sendSmaller(
        _ entries: [Entry], _ error: ServiceError, into total: inout IngestReply
    ) throws(ServiceError) {
        if entries.count > 1 {
            let middle = (entries.count + 1) / 2
            try send(Array(entries[..<middle]), into: &total)
            try send(Array(entries[middle...]), into: &total)
        } else if let entry = entries.first, let smaller = Shedding.step(entry.item) {
            try send([Entry(item: smaller, event: entry.event)], into: &total)
        } else {
            throw error
        }
    }

    private func post(_ items: [BatchItem]) throws(ServiceError) -> IngestReply {
        // Sequence 0: these batches stand outside the count of the installation's own.
        let batch = Batch(sdk: sdk, installID: installID, sequence: 0, sentAt: .now, items: items)
        let body: Data
        do {
            body = try Gzip.compress(ModelCoding.encode(batch))
        } catch {
            throw ServiceError(.refused, "the batch cannot be written: \(error)")
        }
        let answer = try session.perform { () throws(ServiceError) in
            HTTPRequest(
                url: session.endpoint.url(ServiceEndpoint.ingestPath),
                headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"], body: .data(body))
        }
        return try session.decode(IngestReply.self, answer)
    }
}
