// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Runs what is asked through the bridges. Not the concurrency pool's threads, which the host may have filled: whoever
/// looks at a program that hangs is to get an answer.
package final class ServingExecutor: TaskExecutor {
    package static let shared = ServingExecutor()

    private let queue = DispatchQueue(label: "vaka.observation", attributes: .concurrent)

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
