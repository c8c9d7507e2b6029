// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel

/// The database's clock, as this machine's monotonic one goes on from it: nodes whose clocks are wrong agree nevertheless.
/// Thread-safe.
final class PostgresClock: Sendable {
    private let origin = Mutex<(time: Int64, at: ContinuousClock.Instant)>((Timestamp.now.milliseconds, .now))

    /// Milliseconds, in SQL.
    static let sql = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"

    var now: Timestamp {
        origin.withLock { origin in
            let passed = (ContinuousClock.now - origin.at).components
            return Timestamp(
                milliseconds: origin.time + passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000)
        }
    }

    /// Asks the database for the time.
    func set(by connection: SQLConnection) throws(StoreError) {
        let start = ContinuousClock.now
        guard let time = try connection.first("SELECT \(Self.sql)", [], { $0.integer(0) }) else { return }
        let middle = start + (ContinuousClock.now - start) / 2
        origin.withLock { $0 = (time, middle) }
    }
}
