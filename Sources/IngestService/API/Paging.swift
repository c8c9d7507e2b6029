// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Which part of a list a request asks for.
struct Paging {
    static let most = 200
    var cursor: Cursor?
    var limit: Int

    init(_ request: HTTPRequest, usual: Int = 50) throws(APIError) {
        if let text = request.query["cursor"], !text.isEmpty {
            guard let cursor = Cursor(text: text) else {
                throw APIError(400, "invalid_cursor", "\"cursor\" must be the next_cursor of an earlier answer")
            }
            self.cursor = cursor
        }
        limit = usual
        if let text = request.query["limit"] {
            guard let number = Int(text), (1...Self.most).contains(number) else {
                throw APIError(400, "invalid_limit", "\"limit\" must be a number from 1 to \(Self.most)")
            }
            limit = number
        }
    }
}
