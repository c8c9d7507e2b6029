// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

/// What the server says of itself on standard error, a line each: text for people, or JSON for programs. Thread-safe. Keys,
/// tokens and links are never part of it.
package struct Log: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    enum Level: String, Sendable {
        case info
        /// It went on without something.
        case warning
        /// Something failed that should not.
        case error
    }

    let format: Format
    private let repetition = LogRepetition()

    package init(_ format: Format) { self.format = format }

    /// - Parameters:
    ///   - event: the kind of event, a snake_case word that programs may rely on.
    ///   - message: the same for people, with the facts.
    ///   - fields: the facts by name.
    package func info(_ event: String, _ message: String, _ fields: [String: JSONValue] = [:]) {
        write(.info, event, message, fields)
    }

    package func warning(_ event: String, _ message: String, _ fields: [String: JSONValue] = [:]) {
        write(.warning, event, message, fields)
    }

    package func error(_ event: String, _ message: String, _ fields: [String: JSONValue] = [:]) {
        write(.error, event, message, fields)
    }

    private func write(_ level: Level, _ event: String, _ message: String, _ fields: [String: JSONValue]) {
        var (message, fields) = (message, fields)
        if level != .info {
            let facts = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            guard let heldBack = repetition.take("\(event) \(message) \(facts)") else { return }
            if heldBack > 0 {
                message += " (said \(heldBack) times more since)"
                fields["repeated"] = .integer(Int64(heldBack))
            }
        }
        let line =
            switch format {
            case .text: "\(Timestamp.now) \(level.rawValue) \(event): \(message.printable())"
            case .json: Self.document(level, event, message, fields)
            }
        // One call, so that lines of several threads do not mix.
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(2, bytes, bytes.count)
    }

    private static func document(
        _ level: Level, _ event: String, _ message: String, _ fields: [String: JSONValue]
    ) -> String {
        let document: [String: JSONValue] = [
            "time": .string(Timestamp.now.description), "level": .string(level.rawValue), "event": .string(event),
            "message": .string(message), "fields": .object(fields),
        ]
        return (try? ModelCoding.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
