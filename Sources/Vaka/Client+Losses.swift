// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    /// Counts something that is not sent, for the next batch.
    func note(_ cause: Losses.Cause, kind: String) {
        var losses = Losses()
        losses.add(cause, kind: kind)
        note(losses)
    }

    /// Whether the rate takes this one; what it does not is counted.
    func takes(_ rate: SampleRate, _ kind: ItemKind) -> Bool {
        if rate.takesOne() { return true }
        note(.sampleRate, kind: kind.rawValue)
        return false
    }
}
