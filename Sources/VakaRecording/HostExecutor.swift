// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Where hosts are asked: on threads of our own, for the program may have filled the concurrency pool, as it well may before it
/// crashes. A host that blocks keeps no other from being asked.
final class HostExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "vaka.recording.host", qos: .utility, attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
