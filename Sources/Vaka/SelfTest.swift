// SPDX-License-Identifier: Apache-2.0
import Dispatch

extension Vaka {
    /// Whether reports would be kept and would arrive, as `Vaka.selfTest()` found it.
    public struct SelfTest: Hashable, Sendable, CustomStringConvertible {
        /// One thing that was looked at.
        public struct Check: Hashable, Sendable {
            /// What came of it.
            public enum Outcome: String, Hashable, Sendable {
                /// It is as it should be.
                case passed
                /// Reports are lost or late because of it.
                case failed
                /// It was not asked for, or cannot be known.
                case skipped
            }

            /// `start`, `folder`, `key`, `endpoint`, `handlers`, `signal stacks`, `queue`.
            public let name: String
            /// What came of it.
            public let outcome: Outcome
            /// What was seen, for a person.
            public let detail: String
            /// What to do about it; nil where there is nothing to do.
            public let remedy: String?
        }

        /// In the order of their making.
        public let checks: [Check]

        /// Whether nothing failed.
        public var passed: Bool { !checks.contains { $0.outcome == .failed } }

        /// A line for each check, and one for each remedy.
        public var description: String {
            checks.map { check in
                "\(check.outcome.rawValue)  \(check.name): \(check.detail)"
                    + (check.remedy.map { "\n        \($0)" } ?? "")
            }.joined(separator: "\n")
        }
    }

    /// Looks whether reports would be kept and would arrive: the folder, the key and the service (one request, which changes
    /// nothing there), the handlers, the alternate signal stacks. Blocks for at most some ten seconds; sends no report. Call
    /// it from a health check or a command of its own, not at each start. Thread-safe; never throws.
    public static func selfTest() -> SelfTest {
        guard let client = Runtime.client else { return SelfTest(checks: [.notStarted]) }
        return SelfTest(checks: client.selfTest())
    }

    /// The same, without blocking the caller's executor.
    public static func selfTest() async -> SelfTest {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: selfTest()) }
        }
    }
}

extension Vaka.SelfTest.Check {
    fileprivate static let notStarted = Vaka.SelfTest.Check(
        name: "start", outcome: .failed, detail: "the SDK does not run",
        remedy: "call Vaka.start first, with enabled; a start that fails says why on standard error")

    static func passed(_ name: String, _ detail: String) -> Self {
        Self(name: name, outcome: .passed, detail: detail, remedy: nil)
    }

    static func failed(_ name: String, _ detail: String, _ remedy: String) -> Self {
        Self(name: name, outcome: .failed, detail: detail, remedy: remedy)
    }

    static func skipped(_ name: String, _ detail: String) -> Self {
        Self(name: name, outcome: .skipped, detail: detail, remedy: nil)
    }
}
