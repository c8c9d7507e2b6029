// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension SQLEventStore {
    private static let sample = Data("sealed".utf8)

    /// Throws `.wrongKey` where what is kept was sealed by another key, or by any and there is none now. A store without
    /// a key before begins to be sealed with it; what it has is read as before.
    package func requireKey() throws(StoreError) {
        let kept = try read { (connection) throws(StoreError) in
            try connection.first("SELECT sample FROM sealing WHERE id = 1") { $0.data(0) }
        }
        guard let sealing else {
            guard kept == nil else { throw StoreError(.wrongKey, "what is kept was sealed with a key file") }
            return
        }
        if let kept {
            guard sealing.open(kept) == Self.sample else {
                throw StoreError(.wrongKey, "what is kept was sealed with another key file")
            }
            return
        }
        try write { (connection) throws(StoreError) in
            try connection.run("INSERT INTO sealing (id, sample) VALUES (1, ?)", [.blob(sealing.seal(Self.sample))])
        }
    }

    func sealed(_ payload: Data) -> Data { sealing?.seal(payload) ?? payload }

    /// What cannot be opened is as good as lost.
    func opened(_ payload: Data) -> Data { sealing.map { $0.open(payload) ?? Data() } ?? payload }

    func sealed(_ entries: [SpoolEntry]) -> [SpoolEntry] {
        guard sealing != nil else { return entries }
        return entries.map { entry in
            var copy = entry
            copy.payload = sealed(entry.payload)
            return copy
        }
    }

    func sealed(_ events: [ProcessedEvent]) -> [ProcessedEvent] {
        guard sealing != nil else { return events }
        return events.map { event in
            var copy = event
            copy.report = event.report.map(sealed)
            return copy
        }
    }
}
