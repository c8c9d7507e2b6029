// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import VakaModel

extension Client {
    /// Batch files that may wait before network records are no longer added to them: the rest is for what is graver.
    static let networkBacklog = 100
    /// How long records wait in memory, where a crash loses them but for the last.
    private static let networkDelay = Duration.milliseconds(250)

    static func networkSettings(_ options: Vaka.Options, _ settings: ServerSettings) -> NetworkSettings {
        var network = NetworkSettings(isInitialized: options.networkCapture)
        network.ownHost = address(of: options.endpoint)
        settings.apply(to: &network)
        return network
    }

    private static func address(of endpoint: URL) -> String? {
        endpoint.host().map { host in
            host.lowercased() + ":\(endpoint.port ?? (endpoint.scheme?.lowercased() == "http" ? 80 : 443))"
        }
    }

    func record(_ record: NetworkRequestEvent) {
        switch records.withLock({ $0.add(record, at: timekeeper.uptime) }) {
        case .kept: break
        case .first: scheduler.write(after: Self.networkDelay) { [weak self] in self?.takeRecords() }
        case .overflow: note(.networkOverflow, kind: ItemKind.network.rawValue)
        case .tooMany: note(.networkRate, kind: ItemKind.network.rawValue)
        }
    }

    /// Moves the records that wait, and what became known of the capabilities, to the items.
    func takeRecords() {
        takeCapabilities()
        let records = records.withLock { $0.take() }
        guard !records.isEmpty else { return }
        if waitingBatches >= Self.networkBacklog {
            note(.queueOverflow, kind: ItemKind.network.rawValue, count: Int64(records.count))
        } else {
            for record in records { add(.network(record, id: BatchQueue.newID())) }
        }
    }

    /// A crash takes them along from now on; the session is told of them with the next batch.
    func tell(_ capabilities: [CapabilityDescriptor], number: UInt64) {
        // Held until the crash's are set, too, so that both are of the same order.
        let isNew = capabilityOrder.withLock { _ in
            guard state.withLock({ $0.capabilities.tell(capabilities, number: number) }) else { return false }
            let text = (try? ModelCoding.encode(capabilities)).map { String(decoding: $0, as: UTF8.self) }
            core?.set(.sdk, "capabilities", text)
            return true
        }
        if isNew { planRound(after: options.flushInterval) }
    }

    func takeCapabilities() {
        let report = state.withLock { state -> CapabilityReport? in
            guard let capabilities = state.capabilities.take(session: state.session.flatMap { $0.isTold ? $0.id : nil })
            else { return nil }
            return CapabilityReport(
                timestamp: timekeeper.time, session: state.capabilities.session, release: options.release,
                environment: options.environment, capabilities: capabilities)
        }
        if let report { add(.capabilities(report, id: BatchQueue.newID())) }
    }
}
