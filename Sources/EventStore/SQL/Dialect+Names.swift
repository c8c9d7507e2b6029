// SPDX-License-Identifier: Apache-2.0

/// Names that are in an index: PostgreSQL's take no more than 2.7 KB.
extension Dialect {
    /// Scalars, of four bytes at most.
    private static let longestName = 600

    func fitting(_ name: String) -> String {
        guard self == .postgres, name.utf8.count > Self.longestName else { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(Self.longestName)))
    }

    func fitting(_ event: ProcessedEvent) -> ProcessedEvent {
        guard self == .postgres else { return event }
        var fitting = event
        fitting.release = event.release.map(self.fitting)
        fitting.environment = event.environment.map(self.fitting)
        fitting.user = event.user.map(self.fitting)
        return fitting
    }
}
