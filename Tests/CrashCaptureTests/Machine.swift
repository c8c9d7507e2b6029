// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

/// What this machine, or container, lets tests do.
enum Machine {
    static let hasGdb = (try? ChildProcess.run("which", ["gdb"]).status) == .exited(0)

    /// Whether processes may be started as another user.
    static let mayBecomeAnother =
        geteuid() == 0 && (try? ChildProcess.run("setpriv", ["--reuid", "65534", "true"]).status) == .exited(0)
}
