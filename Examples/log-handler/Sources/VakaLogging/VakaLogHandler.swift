// SPDX-License-Identifier: Apache-2.0
import Logging
import Vaka

/// Makes breadcrumbs of what a program logs, and reports of its errors.
///
/// A line is a breadcrumb of the scope that it is logged in, so it travels with that request's reports. From `reportLevel` on
/// it is an event, too.
public struct VakaLogHandler: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata = Logger.Metadata()
    public var metadataProvider: Logger.MetadataProvider?
    /// Lines that are this grave are events.
    public var reportLevel = Logger.Level.error

    private let label: String

    public init(label: String) {
        self.label = label
    }

    public subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(
        level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
        function: String, line: UInt
    ) {
        var all = self.metadata
        all.merge(metadataProvider?.get() ?? [:]) { _, new in new }
        all.merge(metadata ?? [:]) { _, new in new }
        var data = all.mapValues(Self.value)
        data["at"] = .string("\(file):\(line)")
        Vaka.addBreadcrumb(category: label, message: "\(message)", level: Self.level(level), data: data)
        if Self.rank(level) >= Self.rank(reportLevel) {
            Vaka.capture(message: "\(message)", level: Self.level(level))
        }
    }

    private static func rank(_ level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }

    private static func level(_ level: Logger.Level) -> Vaka.Level {
        switch level {
        case .trace, .debug: .debug
        case .info, .notice: .info
        case .warning: .warning
        case .error: .error
        case .critical: .fatal
        }
    }

    private static func value(_ value: Logger.MetadataValue) -> Vaka.Value {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .dictionary(let values): .object(values.mapValues(Self.value))
        case .array(let values): .array(values.map(Self.value))
        }
    }
}
