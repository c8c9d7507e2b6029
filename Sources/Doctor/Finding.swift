// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// One thing that a capture needs, and how it is here.
package struct Finding: Codable, Hashable, Sendable {
    package enum Status: String, Codable, Sendable {
        case ok
        /// Crashes are caught; something of them costs more, or is not known.
        case degraded
        /// Something does not work at all.
        case missing
    }

    /// A stable name, for machines.
    package let key: Key
    package let status: Status
    /// How it is.
    package let says: String
    /// What it means for a crash; nil where nothing is lost.
    @ExplicitNull package var costs: String?
    /// What to do.
    @ExplicitNull package var mend: String?
    /// Figures and names, for machines.
    package var measured: [String: JSONValue]

    package init(
        _ key: Key, _ status: Status, _ says: String, costs: String? = nil, mend: String? = nil,
        measured: [String: JSONValue] = [:]
    ) {
        self.key = key
        self.status = status
        self.says = says
        self.costs = costs
        self.mend = mend
        self.measured = measured
    }

    /// What is looked at, in the order of being told.
    package enum Key: String, Codable, CaseIterable, Sendable {
        case library
        case storage
        case capture
        case frames
        case threads
        case ending
        case overflow
        case threadOverflow = "thread_overflow"
        case time
        case record
        case reader
        case calls
        case proc
        case fileSize = "file_size"
        case backtracer = "swift_backtracer"
        case cores
        case ptrace
        case memoryKills = "memory_kills"
        case firstProcess = "first_process"
        case clock
        case service
    }
}
