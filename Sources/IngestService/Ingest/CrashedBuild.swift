// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A build of a program, and the event of its crash.
package struct CrashedBuild: Hashable, Sendable {
    /// The build id of the program's own image, else its release.
    package var build: String
    package var event: String

    /// Nil where neither is known, and for what is no crash. `scrubbed` takes secrets out of a text.
    init?(_ event: EventHead, _ scrubbed: (String) -> String) {
        guard event.identity.type == .crash else { return nil }
        if let buildID = event.programBuildID {
            build = "build \(buildID)"
        } else if let release = event.release {
            build = "release \(scrubbed(release).prefix(256))"
        } else {
            return nil
        }
        self.event = event.identity.eventID
    }
}
