// SPDX-License-Identifier: Apache-2.0

// The part of a logging package's interface that a handler sees. It exists so that VakaLogHandler.swift is compiled here as it
// stands; it logs nothing by itself.

public struct Logger: Sendable {
    public enum Level: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    public struct Message: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
        public let description: String
        public init(stringLiteral value: String) { description = value }
    }

    public enum MetadataValue: Sendable {
        case string(String)
        case stringConvertible(any CustomStringConvertible & Sendable)
        case dictionary(Metadata)
        case array([MetadataValue])
    }

    public typealias Metadata = [String: MetadataValue]

    public struct MetadataProvider: Sendable {
        private let provide: @Sendable () -> Metadata
        public init(_ provide: @escaping @Sendable () -> Metadata) { self.provide = provide }
        public func get() -> Metadata { provide() }
    }

    public let label: String
    private let handler: any LogHandler

    public init(label: String, factory: (String) -> any LogHandler) {
        self.label = label
        handler = factory(label)
    }

    public func log(
        level: Level, _ message: Message, metadata: Metadata? = nil, source: String = "", file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) {
        guard Level.allCases.firstIndex(of: level) ?? 0 >= Level.allCases.firstIndex(of: handler.logLevel) ?? 0 else {
            return
        }
        handler.log(
            level: level, message: message, metadata: metadata, source: source, file: file, function: function,
            line: line)
    }
}

public protocol LogHandler: Sendable {
    var logLevel: Logger.Level { get set }
    var metadata: Logger.Metadata { get set }
    var metadataProvider: Logger.MetadataProvider? { get set }
    subscript(metadataKey key: String) -> Logger.MetadataValue? { get set }
    func log(
        level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
        function: String, line: UInt)
}
