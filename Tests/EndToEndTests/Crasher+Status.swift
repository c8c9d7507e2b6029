// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

extension Crasher {
    private static let signals = [
        "SIGABRT": SIGABRT, "SIGBUS": SIGBUS, "SIGFPE": SIGFPE, "SIGILL": SIGILL, "SIGINT": SIGINT, "SIGKILL": SIGKILL,
        "SIGPIPE": SIGPIPE, "SIGQUIT": SIGQUIT, "SIGSEGV": SIGSEGV, "SIGSYS": SIGSYS, "SIGTERM": SIGTERM,
        "SIGTRAP": SIGTRAP,
    ]

    func signalNumber() throws -> Int32? {
        guard let name = signal else { return nil }
        guard let number = Self.signals[name] else {
            throw ChildProcess.Failure(description: "\(name) is an unknown signal")
        }
        return number
    }

    /// How the program has to end.
    func expectedStatus() throws -> ChildProcess.Status {
        if let status = exitStatus { return .exited(status) }
        guard let number = try signalNumber() else {
            throw ChildProcess.Failure(description: "\(self) has neither a signal nor an exit status")
        }
        return .signalled(number)
    }
}
