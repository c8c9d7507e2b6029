// SPDX-License-Identifier: Apache-2.0

/// Where in a document the first thing that does not fit stands, and what it is.
struct DocumentFault: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?:
            description = Self.place(context, "\"\(key.stringValue)\" is missing")
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
            description = Self.place(context, context.debugDescription)
        default:
            description = "\(error)"
        }
    }

    private static func place(_ context: DecodingError.Context, _ what: String) -> String {
        let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return path.isEmpty ? what : "at \(path): \(what)"
    }
}
