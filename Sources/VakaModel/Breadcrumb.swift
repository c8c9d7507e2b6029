// SPDX-License-Identifier: Apache-2.0

/// How grave an event or a breadcrumb is.
public struct Level: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let debug = Level(rawValue: "debug")
    public static let info = Level(rawValue: "info")
    public static let warning = Level(rawValue: "warning")
    public static let error = Level(rawValue: "error")
    public static let fatal = Level(rawValue: "fatal")
}

extension Level: DefaultProviding {
    public static var absent: Level { .info }
}

/// Something the program did before the event.
public struct Breadcrumb: Codable, Hashable, Sendable {
    public var timestamp: Timestamp
    /// `info` where the sender said nothing.
    @Defaulted public var level: Level
    @ExplicitNull public var category: String?
    @ExplicitNull public var message: String?
    @Defaulted public var data: [String: JSONValue]

    public init(
        timestamp: Timestamp, level: Level = .info, category: String?, message: String?, data: [String: JSONValue] = [:]
    ) {
        self.timestamp = timestamp
        self.level = level
        self.category = category
        self.message = message
        self.data = data
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case timestamp, level, category, message, data
    }
}
