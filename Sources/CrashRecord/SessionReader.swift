// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
import VakaModel

/// The session that a run's context tells of.
enum SessionReader {
    static func session(context: RunContext, run: vaka_run_header?) -> Session? {
        let values = context.scope(VAKA_CONTEXT_SESSION)
        guard let id = values["id"] else { return nil }
        let fallback = run.map { Timestamp(nanoseconds: $0.started_realtime_ns) }
        guard let started = values["started"].flatMap({ Timestamp(rfc3339: $0) }) ?? fallback else { return nil }
        var session = Session(
            id: id, started: started, status: SessionStatus(rawValue: values["status"] ?? "ok"),
            errors: values["errors"].flatMap { Int($0) }, release: context.release, environment: context.environment)
        session.window = values["window_s"].flatMap { Double($0) }
        session.requests = values["requests"].flatMap {
            try? ModelCoding.decode([String: Int64].self, from: Data($0.utf8))
        }
        session.sampleRate = values["sample_rate"].flatMap { Double($0) }
        return session
    }
}
