// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// How a run ended of which no record tells.
package struct RunEnd: Hashable, Sendable {
    package enum Cause: String, Sendable {
        /// By itself, as it should.
        case exited
        /// By a signal that asks for the end, such as SIGTERM.
        case asked
        /// By SIGKILL, or by what looks like it from outside.
        case killed
        /// The kernel killed it for memory.
        case outOfMemory = "out_of_memory"
        /// The machine stopped while it ran.
        case machineDown = "machine_down"
        /// It crashed, and its record could not be written.
        case crashed
        case unknown
    }

    /// How sure the cause is.
    package enum Certainty: String, Sendable {
        case certain, likely, possible
    }

    package var cause: Cause
    package var certainty: Certainty
    /// The signal that ended it, where that is known.
    package var signal: Int32?
    /// When it ended; nil where only the last sign of life is known.
    package var time: Timestamp?
    /// Kills for memory in its control group, as it last saw them and as they are now.
    package var killsBefore: UInt64?
    package var killsNow: UInt64?
    /// The exit status, where that is known.
    package var exitStatus: Int32?
    /// Why a crash left no record, where that is known.
    package var whyNoRecord: String?
    /// What else a person should know, in whole sentences.
    package var remarks: [String] = []

    package init(_ cause: Cause, _ certainty: Certainty, signal: Int32? = nil, time: Timestamp? = nil) {
        self.cause = cause
        self.certainty = certainty
        self.signal = signal
        self.time = time
    }

    /// Whether somebody must hear of it. An end of which nothing at all is known is no report: it may well be a clean
    /// one.
    package var isAbnormal: Bool {
        switch cause {
        case .exited, .asked, .unknown: false
        case .killed, .outOfMemory, .machineDown, .crashed: true
        }
    }

    package var sessionStatus: SessionStatus {
        switch cause {
        case .exited, .asked: .exited
        case .crashed: .crashed
        case .killed, .outOfMemory, .machineDown, .unknown: .abnormal
        }
    }

    /// As the session's `cause` says it; nil where the status says all.
    package var sessionCause: String? { cause == .exited || cause == .crashed ? nil : cause.rawValue }
}
