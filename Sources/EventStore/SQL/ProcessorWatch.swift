// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// Tells of a thread that commits whether it has to wait for a processor while many want to commit. For that thread alone.
///
/// What it waits for the disk does not count: then the processors have time for other work.
struct ProcessorWatch {
    private static let window = Duration.milliseconds(50)
    /// So many share a commit, on average, when more come than are committed.
    private static let manyBatches = 3
    /// Of a window. Where nothing waits it is next to nothing, and a third where all processors are taken.
    private static let longWait = 0.15

    private var began: ContinuousClock.Instant
    private var waited: Duration?
    private var batches = 0
    private var groups = 0

    /// - Parameter waited: how long the thread has waited so far, nil where nobody knows.
    init(at now: ContinuousClock.Instant = .now, waited: Duration? = Self.waited()) {
        began = now
        self.waited = waited
    }

    /// A group of so many batches was committed. What the window tells that ends with it; nil while none ends.
    mutating func noted(
        batches count: Int, at now: ContinuousClock.Instant = .now, waited: @autoclosure () -> Duration? = Self.waited()
    ) -> Bool? {
        batches += count
        groups += 1
        guard now - began >= Self.window else { return nil }
        let last = self
        self = Self(at: now, waited: waited())
        guard let before = last.waited, let after = self.waited, last.batches >= Self.manyBatches * last.groups else {
            return false
        }
        return (after - before) / (now - last.began) >= Self.longWait
    }

    /// How long this thread has been ready to run and did not; nil where the system does not tell.
    static func waited() -> Duration? {
        let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
            guard fields.count >= 2 else { return nil }
            return Int64(String(decoding: fields[1], as: UTF8.self)).map { .nanoseconds($0) }
        }
    }
}
