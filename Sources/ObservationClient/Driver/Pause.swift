// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Waiting.
public enum Pause {
    /// Blocks the thread for some time, at most a minute.
    public static func sleep(_ time: Duration) {
        usleep(useconds_t(min(max(0, time / .microseconds(1)), 60_000_000)))
    }
}
