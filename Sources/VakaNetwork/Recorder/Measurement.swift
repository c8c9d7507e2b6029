// SPDX-License-Identifier: Apache-2.0
import Vaka
import VakaModel

/// Which exchanges are measured: those of HTTP that got an answer, with the hosts that the service wants, or with all.
enum Measurement {
    /// Says in the record whether it is one. The answer to a download is not measured by its size.
    static func mark(_ record: inout NetworkRequestEvent, measured: Bool) {
        record.metadata = record.metadata ?? [:]
        record.metadata?[NetworkMetadata.measured] = .bool(measured)
        guard measured, record.metadata?["task"] == "download" else { return }
        record.metadata?["received_bytes"] = record.responseBodySize.map { .integer($0) }
        record.responseBodySize = 0
    }

    /// `status` is nil where there was no answer.
    static func counts(_ address: Address, status: Int?, _ settings: NetworkSettings) -> Bool {
        guard settings.measures, status != nil, address.scheme == "http" || address.scheme == "https",
            let host = address.host
        else { return false }
        // The service's own; it measures itself.
        if let own = settings.ownHost, own == "\(host):\(address.knownPort ?? 0)" { return false }
        if settings.leftOutHosts.contains(where: { matches(host, $0) }) { return false }
        return settings.hosts.isEmpty || settings.hosts.contains { matches(host, $0) }
    }

    static func matches(_ host: String, _ name: String) -> Bool {
        name.hasPrefix("*.") ? host.hasSuffix(name.dropFirst()) : host == name
    }
}
