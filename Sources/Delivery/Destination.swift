// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// Where batches go: a service, and the key of a project there. Each key has a queue of its own, so that what was queued
/// for one goes out with that one, whatever the program is told later. The service is where the key was last used: it may
/// move.
package struct Destination: Hashable, Sendable {
    static let fileName = "destination.json"

    package let endpoint: ServiceEndpoint
    package let key: String

    private struct Document: Codable {
        var endpoint: String
        var key: String
    }

    package init(endpoint: ServiceEndpoint, key: String) {
        self.endpoint = endpoint
        self.key = key
    }

    /// Reads what `document` wrote; nil where that is damaged.
    init?(document: Data) {
        guard let document = try? ModelCoding.decode(Document.self, from: document),
            let endpoint = try? ServiceEndpoint(url: document.endpoint)
        else { return nil }
        self.init(endpoint: endpoint, key: document.key)
    }

    /// Holds the key: it has to be known as long as something waits.
    var document: Data {
        get throws { try ModelCoding.encode(Document(endpoint: endpoint.base, key: key)) }
    }

    /// The name of its folder: 32 hexadecimal digits.
    package var id: String { String(Digest.sha256(key).prefix(32)) }
}
