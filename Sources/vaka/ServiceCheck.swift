// SPDX-License-Identifier: Apache-2.0
import Doctor
import ServiceClient
import VakaModel

/// Whether the service answers, and takes the key.
enum ServiceCheck {
    static func finding(_ endpoint: ServiceEndpoint, key: String) -> Finding {
        let measured: [String: JSONValue] = ["url": .string("\(endpoint)")]
        do {
            try ServiceProbe(endpoint: endpoint, key: key).ask()
            return Finding(.service, .ok, "\(endpoint) answers, and takes the key", measured: measured)
        } catch {
            return Finding(
                .service, .degraded, error.message, costs: "crashes wait in the storage folder until it can be reached",
                measured: measured)
        }
    }
}
