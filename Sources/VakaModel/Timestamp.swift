// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A moment, in milliseconds since 1970; written as RFC 3339 in UTC.
public struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public init(nanoseconds: UInt64) {
        milliseconds = Int64(nanoseconds / 1_000_000)
    }

    public init(_ date: Date) {
        milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
    }

    public static var now: Timestamp { Timestamp(Date()) }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    public var description: String {
        if let text = CivilTime(milliseconds: milliseconds)?.text { return text }
        // The style cuts what a binary fraction falls short of a millisecond; from the middle of it nothing is lost.
        return Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Reads RFC 3339 with or without fractional seconds; nil for anything else.
    public init?(rfc3339 text: String) {
        if let time = CivilTime(text: text) {
            self.init(milliseconds: time.milliseconds)
            return
        }
        for fractional in [true, false] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fractional)
            if let date = try? style.parse(text) {
                self.init(date)
                return
            }
        }
        return nil
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Timestamp(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: Self.problem(text))
        }
        self = value
    }

    static func problem(_ text: String) -> String {
        "\"\(text.prefix(40))\" is no time; write it as \"2026-01-31T12:00:00.000Z\""
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
