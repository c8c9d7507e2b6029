// SPDX-License-Identifier: Apache-2.0

/// What a request is about, for counting.
enum RouteClass: String, CaseIterable {
    case ingest, upload, api, page, debuginfod, operation
    /// There is no such address.
    case unknown

    private static let operations: Set<String> = ["/metrics", "/healthz", "/readyz", "/openapi.json"]

    init(_ route: Route) {
        switch route.body {
        case .batch: self = .ingest
        case .image, .part, .files: self = .upload
        case .none, .form, .json:
            if Self.operations.contains(route.pattern) {
                self = .operation
            } else if route.pattern.hasPrefix("/buildid/") {
                self = .debuginfod
            } else {
                self = route.pattern.hasPrefix("/api/") ? .api : .page
            }
        }
    }
}
