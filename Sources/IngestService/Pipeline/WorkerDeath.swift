// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The end of a worker over a job.
struct WorkerDeath {
    /// What was exceeded, or how it ended; for people.
    var reason: String
    /// The debug image that was being read; nil when it was none.
    var image: String?

    /// Memory so near its limit is what ended the process.
    private static let nearly: UInt64 = 4

    static func reason(status: Int32, usage: rusage, limits: ServiceLimits) -> String {
        let signal = status & 0x7f
        guard signal != 0 else { return "it ended with status \(status >> 8 & 0xff)" }
        if signal == SIGXCPU { return "it took more than \(Int(limits.workerSeconds * 2)) s of processor time" }
        if signal == SIGXFSZ { return "it wrote more than \(limits.workerFileBytes) bytes" }
        // What was refused is not in use: a request for very much leaves no trace here.
        let used = UInt64(max(0, usage.ru_maxrss)) << 10
        let limit = limits.workerBytes
        if signal != SIGKILL, used > limit - limit / Self.nearly {
            return "it needed more than \(limit >> 20) MiB of memory (signal \(signal))"
        }
        return "it ended by signal \(signal)"
    }
}
