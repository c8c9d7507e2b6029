// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A build of a program, and the event of its crash.
package struct CrashedBuild: Hashable, Sendable {
    /// The build id of the program's own image, else its release.
    package var build: String
    package var event: String

    /// Nil where neither is known, and for what is no crash.
    init?(_ event: Event) {
        guard event.type == .crash else { return nil }
        let executable = event.contexts["process"]?["executable"]?.string
        let program = event.debugImages.first { $0.codeFile != nil && $0.codeFile == executable }
        if let buildID = (program ?? event.debugImages.first)?.buildID {
            build = "build \(buildID)"
        } else if let release = event.release {
            build = "release \(release.prefix(256))"
        } else {
            return nil
        }
        self.event = event.eventID
    }
}
