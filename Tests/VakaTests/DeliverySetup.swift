// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import HTTPClient
import TestSupport
import VakaModel

@testable import Vaka

/// A queue in a folder of its own and what delivers it, over real HTTP.
struct DeliverySetup {
    let folder: TemporaryFolder
    let clock = ManualClock()
    let queue: BatchQueue
    let deliverer: Deliverer

    init(url: String, files: Int = 200, folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        var limits = DeliveryLimits()
        limits.files = files
        queue = try BatchQueue(
            folder: StorageFolder(path: self.folder.path), sdk: SDKInfo(name: "vaka-swift", version: "1"),
            limits: limits)
        deliverer = Deliverer(
            queue: queue, destination: Destination(endpoint: try ServiceEndpoint(url: url), key: "vk_test"),
            transport: CurlTransport(), timekeeper: clock)
    }

    /// One batch of items that are named.
    func add(_ names: String...) throws {
        try queue.add(
            names.map { BatchItem(kind: .track, id: $0, payload: ["name": .string($0)]) },
            losses: deliverer.takeLosses(),
            time: clock.time)
    }

    func addEvent(_ id: String, stackBytes: Int = 3000, breadcrumbs: Int = 10) throws {
        var event = Event(eventID: id, type: .crash, timestamp: clock.time, level: .fatal)
        event.breadcrumbs = (0..<breadcrumbs).map {
            Breadcrumb(timestamp: clock.time, category: "c", message: "breadcrumb \($0)")
        }
        event.threads = [
            ThreadState(
                id: 1, crashed: true,
                stack: MemoryRegion(address: HexAddress(0x1000), data: Data(repeating: 1, count: stackBytes)))
        ]
        try queue.add([try BatchItem(event: event)], time: clock.time)
    }
}

extension ScriptedServer.Request {
    var itemIDs: [String] { items.compactMap { $0["id"]?.string } }
    /// What a `client_report` of the batch counts, by reason.
    var dropped: [String: Int64] {
        var counts: [String: Int64] = [:]
        for item in items where item["kind"] == "client_report" {
            guard case .array(let entries) = item["payload"]?["dropped"] else { continue }
            for entry in entries {
                if case .integer(let count) = entry["count"] {
                    counts[entry["reason"]?.string ?? "", default: 0] += count
                }
            }
        }
        return counts
    }
}
