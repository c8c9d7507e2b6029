// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One session: from its start to the program's end, or to the moment after which it was out of use for too long.
struct SessionTracker {
    private static let outcomeLimit = 31
    private static let countInterval = Duration.seconds(10)

    let id: String
    let started: Timestamp
    let rate: SampleRate
    /// Whether the rate takes it: otherwise nothing is sent of it, nor kept for a crash.
    let isTold: Bool
    /// Its length, where it is a window of time.
    let window: Duration?
    private(set) var errors = 0
    private var requests: [String: Int64] = [:]
    /// Since when the run file does not have the present counts.
    private var countedSince: Duration?
    /// Since when it is out of use.
    private(set) var idleSince: Timestamp?

    init(id: String, started: Timestamp, rate: SampleRate = SampleRate(1), window: Duration? = nil) {
        self.id = id
        self.started = started
        self.rate = rate
        self.window = window
        isTold = rate.takesOne()
    }

    mutating func noteError() {
        errors += 1
    }

    /// The counts, where the run file should have them now.
    mutating func count(_ outcome: Vaka.RequestOutcome, at uptime: Duration) -> [String: Int64]? {
        let isKnown = requests[outcome.rawValue] != nil || requests.count < Self.outcomeLimit
        requests[isKnown ? outcome.rawValue : Vaka.RequestOutcome.other.rawValue, default: 0] += 1
        if let countedSince, uptime - countedSince < Self.countInterval { return nil }
        countedSince = uptime
        return requests
    }

    mutating func setActive(_ active: Bool, at time: Timestamp) {
        if active { idleSince = nil } else if idleSince == nil { idleSince = time }
    }

    /// Whether it has been out of use for at least that long.
    func isOver(at time: Timestamp, timeout: Duration) -> Bool {
        guard let idleSince else { return false }
        return Duration.milliseconds(time.milliseconds - idleSince.milliseconds) >= timeout
    }

    /// As it stands; with `ended`, as it ended: where it was out of use, when that began.
    func session(_ options: Vaka.Options, ended: Timestamp? = nil) -> Session {
        var session = Session(
            id: id, started: started, status: .ok, errors: errors, release: options.release,
            environment: options.environment)
        session.sampleRate = rate.told
        session.window = window.map { $0 / .seconds(1) }
        session.requests = requests.isEmpty ? nil : requests
        if let ended {
            let end = idleSince ?? ended
            session.status = errors > 0 ? .errored : .exited
            session.duration = Double(max(0, end.milliseconds - started.milliseconds)) / 1000
        }
        return session
    }
}
