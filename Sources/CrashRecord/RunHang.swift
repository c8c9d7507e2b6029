// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import VakaModel

/// What a run's watches last found hanging: docs/crash-record-format.md.
package struct RunHang: Hashable, Sendable {
    /// The watch's name, `main` for the main thread.
    package let watch: String
    /// When it was last known to go on.
    package let since: Timestamp
    /// The id of the report on the hang; nil where there is none.
    package let eventID: String?

    /// Nil where nothing hangs.
    init?(_ hang: vaka_run_hang) {
        guard hang.since_ns != 0 else { return nil }
        watch = text(byteArray(hang.name))
        since = Timestamp(nanoseconds: hang.since_ns)
        let id = byteArray(hang.event_id)
        eventID = id.contains { $0 != 0 } ? hexText(id) : nil
    }

    /// As `contexts.process.hang` of an event about the end of the run tells it.
    package var value: JSONValue {
        .object([
            "watch": .string(watch), "since": .string(since.description),
            "event_id": eventID.map { .string($0) } ?? .null,
        ])
    }
}
