// SPDX-License-Identifier: Apache-2.0

/// The bounds of one download and of what is remembered.
package struct DebuginfodLimits: Sendable, Hashable {
    /// Until a connection stands.
    package var connectSeconds = 15
    /// A server that sends less than 100 KiB in this time is given up.
    package var stallSeconds = 90
    /// For a whole file; 0: as long as something comes.
    package var fileSeconds = 0
    /// A file's size, whatever the server says it is.
    package var fileBytes: UInt64 = 4 << 30
    /// How long it is remembered that a server does not have a file, and that it failed to give it.
    package var absenceSeconds = 600
    package var failureSeconds = 60
    /// Of the whole cache, and of a file that nobody used.
    package var cacheBytes: UInt64 = 20 << 30
    package var unusedSeconds = 7 * 86_400

    package init() {}

    /// With the variables that elfutils' client has: `DEBUGINFOD_TIMEOUT`, `DEBUGINFOD_MAXTIME`, `DEBUGINFOD_MAXSIZE`.
    package init(environment: [String: String]) throws(DebuginfodError) {
        func number(_ name: String) throws(DebuginfodError) -> Int? {
            guard let text = environment[name], !text.isEmpty else { return nil }
            guard let number = Int(text), number <= 1 << 50 else {
                throw DebuginfodError("\(name) is a number, not \"\(text)\"")
            }
            return max(0, number)
        }
        if let seconds = try number("DEBUGINFOD_TIMEOUT") { stallSeconds = seconds }
        if let seconds = try number("DEBUGINFOD_MAXTIME") { fileSeconds = seconds }
        if let bytes = try number("DEBUGINFOD_MAXSIZE"), bytes > 0 { fileBytes = UInt64(bytes) }
    }
}
