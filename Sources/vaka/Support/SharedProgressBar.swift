// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A progress bar for work whose parts are told by name, from whichever thread.
final class SharedProgressBar: Sendable {
    private let bar = Mutex<(name: String, bar: ProgressBar)?>(nil)

    func update(_ name: String, _ done: Int64, _ total: Int64?) {
        bar.withLock { current in
            if current?.name != name {
                current?.bar.finish()
                current = (name, ProgressBar(name))
            }
            current?.bar.update(done: done, total: total ?? 0)
        }
    }

    func finish() {
        bar.withLock { current in
            current?.bar.finish()
            current = nil
        }
    }
}
