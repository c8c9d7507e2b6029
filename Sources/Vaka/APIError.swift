// SPDX-License-Identifier: Apache-2.0

extension Vaka {
    /// Why something that the host told was not kept.
    public struct APIError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A negative number, the same in every version.
        public let code: Int
        public let description: String

        /// -4: the SDK does not collect: it was not started, was stopped, did not start again, or has no consent.
        public static let notRunning = APIError(code: -4, description: "Vaka collects nothing now; nothing was kept")
        /// -5: too many calls waited for a start to end; the oldest of them are given up.
        public static let tooMany = APIError(code: -5, description: "too much waited for the start; this was given up")
        /// -6: a sampling rate left it out.
        public static let sampled = APIError(code: -6, description: "a sampling rate left this out")
        /// -7: `beforeSend` took it out or failed, or the options leave out errors of its kind.
        public static let withheld = APIError(code: -7, description: "the program's own options took this out")
    }
}
