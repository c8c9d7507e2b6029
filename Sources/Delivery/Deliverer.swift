// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Synchronization
import VakaModel

/// Sends the waiting batches of one queue, crashes before all else, oldest first, by the rules of delivery: a file goes only after a 2xx or a permanent 4xx;
/// 401 and 403 end sending for as long as this value lives; 413 divides; 429, 5xx and no answer wait and try again.
package final class Deliverer: Sendable {
    /// What a round came to.
    package enum Outcome: Hashable, Sendable {
        /// Nothing waits any more.
        case done
        /// Not before this uptime.
        case waiting(until: Duration)
        /// The key was refused, or nothing is to be sent any more.
        case stopped
        /// Another thread or process is sending.
        case busy
        /// The time given was over first.
        case outOfTime
    }

    private struct State {
        var sending = false
        var stopped = false
        var isClosed = false
        var backoff = Backoff()
        var notBefore: Duration?
        /// The service named the wait; otherwise it is our own guess, which a caller may override.
        var serverAsked = false
        var losses = Losses()
        var problem: String?
        var delivered = 0
        /// Files that are done with, and could not be removed.
        var done: Set<String> = []
        /// Whether the service takes captured memory beside the text; asked when it first matters.
        var takesParts: Bool?
    }

    private enum Step {
        case next
        /// The file cannot be read, and so not sent; it must not hold up the others.
        case leave
        case end(Outcome)
    }

    private let queue: BatchQueue
    private let destination: Destination
    private let transport: any Transport
    private let timekeeper: any Timekeeper
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    package init(
        queue: BatchQueue, destination: Destination, transport: any Transport,
        timekeeper: any Timekeeper = SystemTimekeeper(), log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.queue = queue
        self.destination = destination
        self.transport = transport
        self.timekeeper = timekeeper
        self.log = log
    }

    /// The losses counted since the last call, for the next `client_report`.
    package func takeLosses() -> Losses {
        state.withLock { state in
            defer { state.losses = Losses() }
            return state.losses
        }
    }

    /// Why the last round did not deliver everything, for a person.
    package var problem: String? { state.withLock { $0.problem } }

    /// Batches that the service has taken, so far.
    package var deliveredBatches: Int { state.withLock { $0.delivered } }

    package func note(_ losses: Losses) {
        state.withLock { $0.losses.merge(losses) }
    }

    /// The key was refused, or nothing is to be sent any more.
    package var isStopped: Bool { state.withLock { $0.stopped || $0.isClosed } }

    /// Nothing more is sent by this value; a request that is under way is let come to its end.
    package func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Sends until nothing waits or the rules say stop. Blocks for as long as the requests take; one request lasts at
    /// most `timeout`, and none begins after `within`. One that is under way then is broken off, unless `finishing`.
    /// `impatient` does not wait out a pause of our own choosing.
    package func drain(
        within: Duration? = nil, timeout: Duration = .seconds(30), impatient: Bool = false, finishing: Bool = false
    ) -> Outcome {
        let deadline = within.map { timekeeper.uptime + $0 }
        if let outcome = begin(impatient: impatient) { return outcome }
        defer { state.withLock { $0.sending = false } }
        do {
            guard let lock = try FileLock.ifFree(queue.place.sendLock) else { return .busy }
            defer { withExtendedLifetime(lock) {} }
            var unreadable: Set<String> = []
            while let file = queue.next(leaving: unreadable) {
                let left = deadline.map { $0 - timekeeper.uptime } ?? timeout
                guard left > .zero else { return .outOfTime }
                guard !state.withLock({ $0.isClosed }) else { return .stopped }
                switch try deliver(file, timeout: finishing ? timeout : min(left, timeout)) {
                case .next: continue
                case .leave: unreadable.insert(file)
                case .end(let outcome): return outcome
                }
            }
            return .done
        } catch {
            return pause(asked: nil, why: "\(error)")
        }
    }

    private func begin(impatient: Bool) -> Outcome? {
        let now = timekeeper.uptime
        return state.withLock { state in
            if state.stopped || state.isClosed { return .stopped }
            if state.sending { return .busy }
            if let notBefore = state.notBefore, now < notBefore, state.serverAsked || !impatient {
                return .waiting(until: notBefore)
            }
            state.sending = true
            return nil
        }
    }

    private func deliver(_ file: String, timeout: Duration) throws -> Step {
        guard !state.withLock({ $0.done.contains(file) }) else {
            try remove(file)
            return .next
        }
        let sending = Sending(queue.pending + "/" + file)
        defer { sending.end() }
        let batch: Batch
        do {
            guard let read = try queue.batch(file) else { return .next }
            batch = read
        } catch let error as DecodingError {
            try giveUp(file, error)
            return .next
        } catch {
            log("\(error)")
            return .leave
        }
        sending.note(batch.items)
        do {
            let answer = try transport.send(request(batch, timeout: timeout, sending))
            return try heed(Verdict(answer, now: timekeeper.time), file, batch)
        } catch let failure as TransportFailure {
            guard !sending.isBroken else {
                log("batch \(batch.sequence) was broken off: what it held was erased meanwhile")
                return .next
            }
            return .end(pause(asked: nil, why: failure.description))
        }
    }

    private func heed(_ verdict: Verdict, _ file: String, _ batch: Batch) throws -> Step {
        switch verdict {
        case .accepted(let reply):
            log("delivered batch \(batch.sequence): \(batch.items.count) items")
            if let counted = reply?.countedOnly {
                log(
                    "the service counted \(counted) events and did not keep them: their issues had enough of the minute"
                )
            }
            for rejection in reply?.rejected ?? [] { log("item refused: \(rejection.code): \(rejection.reason)") }
            succeed()
            state.withLock { $0.delivered += 1 }
            try remove(file)
        case .refused(let status, let why):
            log("batch \(batch.sequence) refused for good: \(why)")
            lose(.refused(status), batch.items)
            succeed()
            try queue.remove(file)
        case .tooLarge:
            succeed()
            try makeSmaller(file, batch)
        case .unauthorized(let why):
            log("the key was refused, nothing more is sent until the next launch: \(why)")
            state.withLock { state in
                state.stopped = true
                state.problem = why
            }
            return .end(.stopped)
        case .later(let asked, let why):
            return .end(pause(asked: asked, why: why))
        }
        return .next
    }

    private func remove(_ file: String) throws {
        state.withLock { _ = $0.done.insert(file) }
        try queue.remove(file)
        state.withLock { _ = $0.done.remove(file) }
    }

    private func giveUp(_ file: String, _ error: DecodingError) throws {
        log("batch file \(file) is damaged and is given up: \(error)")
        state.withLock { $0.losses.add(.unreadable, kind: "batch") }
        try queue.remove(file)
    }

    private func request(_ batch: Batch, timeout: Duration, _ sending: Sending) throws -> TransportRequest {
        var batch = batch
        batch.sentAt = timekeeper.time
        let hasParts = WireBatch.hasMemory(batch) && takesParts(timeout: timeout, sending)
        let wire = try (hasParts ? WireBatch(parts: batch) : nil) ?? WireBatch(text: batch)
        return TransportRequest(
            url: destination.endpoint.url(ServiceEndpoint.ingestPath),
            headers: wire.headers.merging(["Authorization": "Bearer \(destination.key)"]) { $1 }, body: wire.body,
            timeout: timeout, isUnwanted: { sending.isBroken })
    }

    /// Asked once; not where the service cannot be reached.
    private func takesParts(timeout: Duration, _ sending: Sending) -> Bool {
        if let known = state.withLock({ $0.takesParts }) { return known }
        let request = TransportRequest(
            url: destination.endpoint.url(ServiceEndpoint.settingsPath),
            headers: ["Authorization": "Bearer \(destination.key)"], body: Data(), timeout: min(timeout, .seconds(5)),
            isUnwanted: { sending.isBroken })
        guard let answer = try? transport.send(request) else { return false }
        let takes = WireBatch.takesParts(answer)
        state.withLock { $0.takesParts = takes }
        return takes
    }

    private func makeSmaller(_ file: String, _ batch: Batch) throws {
        if batch.items.count > 1 {
            log("batch \(batch.sequence) is too large and is divided")
            note(try queue.split(file, batch))
        } else if let item = batch.items.first, let smaller = Shedding.step(item) {
            log("batch \(batch.sequence) is too large even alone and sheds")
            try queue.replace(file, batch, items: [smaller])
        } else {
            log("batch \(batch.sequence) is too large and is given up")
            lose(.tooLarge, batch.items)
            try queue.remove(file)
        }
    }

    private func lose(_ cause: Losses.Cause, _ items: [BatchItem]) {
        // Losing a report about losses alone is not told again: it would never end.
        guard items.contains(where: { $0.kind != .clientReport }) else { return }
        state.withLock { $0.losses.add(cause, items: items) }
    }

    private func succeed() {
        state.withLock { state in
            state.backoff.reset()
            state.notBefore = nil
            state.serverAsked = false
            state.problem = nil
        }
    }

    private func pause(asked: Duration?, why: String) -> Outcome {
        let now = timekeeper.uptime
        let (wait, until) = state.withLock { state in
            let wait = state.backoff.next(asked: asked)
            state.notBefore = now + wait
            state.serverAsked = asked != nil
            state.problem = why
            return (wait, now + wait)
        }
        log("not delivered, next try in \(Int(wait / .seconds(1))) s: \(why)")
        return .waiting(until: until)
    }
}
