// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import VakaModel

@testable import EventStore
@testable import IngestService

/// Servers on one database, each with a data folder of its own; with `blobs` their images are in one store.
final class Cluster: Sendable {
    private let arguments: [String]
    private let environment: [String: String?]
    private let nodes: Mutex<[ServerProcess]>

    init(_ address: String, blobs: BlobHome? = nil, nodes count: Int) throws {
        let arguments = ["--store", address] + (blobs?.arguments ?? [])
        let environment = blobs?.environment ?? [:]
        self.arguments = arguments
        self.environment = environment
        let first = try ServerProcess(arguments, environment: environment)
        nodes = Mutex(
            [first]
                + (try (1..<max(1, count)).map { _ in
                    try ServerProcess(arguments, credentials: first.credentials, environment: environment)
                }))
    }

    var count: Int { nodes.withLock { $0.count } }

    func node(_ index: Int) -> ServerProcess { nodes.withLock { $0[index] } }

    /// Kills the node and starts it anew, without the images that it had.
    func restart(_ index: Int) throws {
        let old = node(index)
        old.process.kill(SIGKILL)
        _ = try old.process.wait()
        try? FileManager.default.removeItem(atPath: old.folder.path + "/data/images")
        let new = try ServerProcess(
            arguments, folder: old.folder, credentials: old.credentials, environment: environment)
        nodes.withLock { $0[index] = new }
    }
}

/// Programs that send crashes to any node, again and again until they are taken.
final class Load: Sendable {
    private let cluster: Cluster
    private let crash: @Sendable (Int) throws -> Event
    private let ledger = StreamLedger()
    private let running: Monitor<(threads: Int, isStopping: Bool)>

    init(
        _ cluster: Cluster, threads: Int, crash: @escaping @Sendable (Int) throws -> Event = { Samples.crash($0) }
    ) {
        self.cluster = cluster
        self.crash = crash
        running = Monitor((threads, false))
        for thread in 0..<threads {
            startThread { [self] in
                send(from: thread)
                running.update { $0.threads -= 1 }
            }
        }
    }

    private func send(from thread: Int) {
        var turn = thread
        while !running.withLock({ $0.isStopping }) {
            turn += 1
            let number = ledger.take()
            let isTaken = isTaken(number, cluster.node(turn % cluster.count))
            ledger.settle(number, acknowledged: isTaken)
            // As a client waits before it tries again.
            if !isTaken { usleep(20_000) }
        }
    }

    private func isTaken(_ number: Int, _ node: ServerProcess) -> Bool {
        guard let body = try? Samples.batch(crash(number)) else { return false }
        return (try? node.ingest(body))?.status == 202
    }

    private var taken: Int { ledger.state.withLock { $0.acknowledged.count } }

    func wait(forMore more: Int) throws {
        let enough = taken + more
        try cluster.node(0).eventually(seconds: 90) { taken >= enough ? true : nil }
    }

    /// Ends when all that was begun is taken; its numbers.
    func finish() throws -> Set<Int> {
        running.update { $0.isStopping = true }
        _ = running.wait(seconds: 60) { $0.threads == 0 ? true : nil }
        for number in ledger.state.withLock({ $0.open }) {
            try cluster.node(0).eventually(seconds: 60) { isTaken(number, cluster.node(0)) ? true : nil }
            ledger.settle(number, acknowledged: true)
        }
        return ledger.state.withLock { $0.acknowledged }
    }
}
