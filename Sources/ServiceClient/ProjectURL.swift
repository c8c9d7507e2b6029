// SPDX-License-Identifier: Apache-2.0
import Delivery

/// Addresses below a project.
struct ProjectURL {
    private let base: String

    init(_ endpoint: ServiceEndpoint, _ project: String) {
        base = endpoint.url("/api/v1/projects/\(PercentEncoding.encode(project))/")
    }

    func url(_ path: String, _ query: [String: String] = [:]) -> String {
        let pairs = query.sorted { $0.key < $1.key }.map {
            "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))"
        }
        return base + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
}
