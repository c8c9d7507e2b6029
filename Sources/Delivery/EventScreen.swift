// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What becomes of an event of an earlier run, before it is queued.
package enum Screening: Sendable {
    case send(Event)
    case drop(Losses.Cause)
    /// It stays where it is, for the next launch.
    case later
}

/// The host's say over events of earlier runs.
package protocol EventScreen: Sendable {
    /// May end the process: the host's own code is called.
    func screen(_ event: Event) -> Screening
}
