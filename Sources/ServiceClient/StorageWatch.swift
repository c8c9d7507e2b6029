package import Delivery
import Glibc
// SPDX-License-Identifier: Apache-2.0
package import HTTPClient
package import VakaModel

/// Delivers what programs leave in storage folders, as it comes. The programs may run, end and be gone meanwhile; others
/// may watch the same folders. Not thread-safe.
package final class StorageWatch {
    private final class Watched {
        let path: String
        var outbox: Outbox?
        /// Queued and not yet known to be delivered.
        var announced: [Event] = []
        var problem: String?

        init(_ path: String) { self.path = path }
    }

    private let folders: [Watched]
    private let endpoint: ServiceEndpoint
    private let key: String
    private let sdk: SDKInfo
    private let timekeeper: any Timekeeper
    private let say: (String) -> Void

    /// `key` is an ingest key (`vk_…`). `say` is told what goes wrong, once for each problem.
    package init(
        folders: [String], endpoint: ServiceEndpoint, key: String, sdk: SDKInfo,
        timekeeper: any Timekeeper = SystemTimekeeper(), say: @escaping (String) -> Void
    ) throws(ServiceError) {
        try ServiceSession.check(secret: key)
        self.folders = folders.map(Watched.init)
        self.endpoint = endpoint
        self.key = key
        self.sdk = sdk
        self.timekeeper = timekeeper
        self.say = say
    }

    /// What a round came to.
    package struct Round {
        /// The events that the service has by now.
        package var delivered: [Event] = []
        /// When a folder is to be tried again, whether or not anything comes; nil: when something comes.
        package var wait: Duration?
        /// A folder could not be used: what it has to say is likely to be the same at once.
        package var hasFailed = false
    }

    /// Takes up what lies in the folders and tries to deliver it, unless the service is to be left alone for now. Throws
    /// when it refuses the key.
    package func round() throws(ServiceError) -> Round {
        var round = Round()
        for folder in folders {
            do {
                try advance(folder, &round)
            } catch let error as ServiceError {
                throw error
            } catch let error as StorageError where error.code == EWOULDBLOCK {
                // Another process is at work there.
                round.hasFailed = true
            } catch {
                round.hasFailed = true
                folder.outbox = nil
                note(folder, "\(error)")
            }
        }
        return round
    }

    private func advance(_ folder: Watched, _ round: inout Round) throws {
        // The program may have taken its folder away, and made it anew.
        let storage = try StorageFolder(existing: folder.path)
        let outbox = try folder.outbox ?? makeOutbox(storage)
        folder.outbox = outbox
        try outbox.recoverSpools(time: timekeeper.time)
        folder.announced += try CrashRecovery(outbox).run(time: timekeeper.time)
        let outcome = outbox.drain()
        try outbox.queue.add([], losses: outbox.takeLosses(), time: timekeeper.time)
        switch outcome {
        case .done:
            round.delivered += folder.announced
            folder.announced = []
            folder.problem = nil
        case .stopped:
            throw ServiceError(
                .unauthorized,
                "\(endpoint): the key was refused (\(outbox.problem ?? "401")); see that it is this service's",
                status: 401)
        case .waiting(let until):
            let wait = max(.zero, until - timekeeper.uptime)
            round.wait = min(round.wait ?? wait, wait)
            note(folder, "\(endpoint): \(outbox.problem ?? "no answer"); it is tried again")
        case .busy, .outOfTime: break
        }
    }

    private func makeOutbox(_ folder: StorageFolder) throws -> Outbox {
        try Outbox(
            folder: folder, destination: Destination(endpoint: endpoint, key: key), sdk: sdk,
            transport: CurlTransport(),
            timekeeper: timekeeper)
    }

    private func note(_ folder: Watched, _ problem: String) {
        guard folder.problem != problem else { return }
        folder.problem = problem
        say("\(folder.path): \(problem)")
    }
}
