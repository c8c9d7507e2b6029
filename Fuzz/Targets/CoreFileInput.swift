// SPDX-License-Identifier: Apache-2.0
import CoreFile

/// A core file, and the event that is made of it.
enum CoreFileInput {
    static func run(_ bytes: [UInt8]) {
        let input = InputFile(bytes)
        guard let core = try? CoreFile(path: input.path) else { return }
        EventChecks.check(core.event())
    }
}
