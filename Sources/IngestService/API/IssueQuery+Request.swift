// SPDX-License-Identifier: Apache-2.0
import EventStore

extension IssueQuery {
    /// The names that `init(_:)` looks for.
    static let parameters = ["query", "sort"] + Property.allCases.map(\.rawValue)

    /// From a request's `query`, `sort`, and a parameter for each property.
    ///
    /// - Parameter usual: the query where the request has none.
    init(_ request: HTTPRequest, usual: String = "") throws(APIError) {
        self.init(sort: try CountHandlers.choice("sort", Sort.self, request) ?? .lastSeen)
        for property in Property.allCases {
            if let value = request.query[property.rawValue] { add(property, value) }
        }
        let text = request.query["query"] ?? usual
        guard text.unicodeScalars.count <= Self.longest else {
            throw APIError(400, "query_too_long", "\"query\" may have at most \(Self.longest) characters")
        }
        add(text)
    }
}
