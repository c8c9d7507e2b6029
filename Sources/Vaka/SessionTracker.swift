// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One session: from its start to the program's end, or to the moment after which it was out of use for too long.
struct SessionTracker {
    let id: String
    let started: Timestamp
    let rate: SampleRate
    /// Whether the rate takes it: otherwise nothing is sent of it, nor kept for a crash.
    let isTold: Bool
    private(set) var errors = 0
    /// Since when it is out of use.
    private(set) var idleSince: Timestamp?

    init(id: String, started: Timestamp, rate: SampleRate = SampleRate(1)) {
        self.id = id
        self.started = started
        self.rate = rate
        isTold = rate.takesOne()
    }

    mutating func noteError() {
        errors += 1
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
        if let ended {
            let end = idleSince ?? ended
            session.status = errors > 0 ? .errored : .exited
            session.duration = Double(max(0, end.milliseconds - started.milliseconds)) / 1000
        }
        return session
    }
}
