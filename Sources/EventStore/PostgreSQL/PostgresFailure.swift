// SPDX-License-Identifier: Apache-2.0

/// What an SQLSTATE means for us (PostgreSQL's manual, appendix A).
enum PostgresFailure {
    static func code(_ state: String) -> StoreError.Code {
        switch state {
        // Shutting down, starting up, or not to be reached: so are all of class 08.
        case "57P01", "57P02", "57P03", "57P05": .away
        case _ where state.hasPrefix("08"): .away
        case "53100": .full
        case "25006": .readOnly
        // Too many connections; a lock or an answer that took too long.
        case "53300", "55P03", "57014": .busy
        case _ where isConflict(state): .busy
        case "XX001", "XX002": .damaged
        default: .failed
        }
    }

    /// Another transaction got in the way, and all of this one is undone: it may go well next time.
    static func isConflict(_ state: String) -> Bool { ["40001", "40P01"].contains(state) }
}
