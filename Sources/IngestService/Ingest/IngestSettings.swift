// SPDX-License-Identifier: Apache-2.0
import EventStore
import Privacy

/// What each batch needs to know of its key and project. What another process changes is seen after a second, at the
/// latest.
final class IngestSettings: Sendable {
    struct OfProject: Sendable {
        var limits: RateLimits
        var scrubber: PayloadScrubber
    }

    struct Build: Hashable {
        var project: Int64
        var build: String
    }

    /// By the key's hash.
    let keys = Recent<[UInt8], OwnedCredential>(lasting: .seconds(1))
    let projects = Recent<Int64, OfProject>(lasting: .seconds(1))
    /// The event that was the first crash of a build.
    let firstCrashes = Recent<Build, String>(lasting: .seconds(60))

    /// To be called when anything was changed here.
    func forget() {
        keys.forget()
        projects.forget()
    }
}
