// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    /// Counts what the host told and is not sent, for the next batch. False where nothing is collected any more, and so not
    /// counted either.
    @discardableResult
    func note(_ cause: Losses.Cause, kind: String, count: Int64 = 1) -> Bool {
        var losses = Losses()
        losses.add(cause, kind: kind, count: count)
        guard intake.withLock({ $0.note(losses) }) else { return false }
        planRound(after: options.flushInterval)
        return true
    }

    /// Why this one is not kept, if so: the rate leaves it out, which is counted, or nothing is collected.
    func refusal(_ rate: SampleRate, _ kind: ItemKind) -> Vaka.APIError? {
        if rate.takesOne() { return nil }
        return note(.sampleRate, kind: kind.rawValue) ? .sampled : .notRunning
    }
}
