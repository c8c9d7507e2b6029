// SPDX-License-Identifier: Apache-2.0
import CLinux
import DebugImages
import FoundationEssentials
import Glibc
import Grouping
import Symbolication
import VakaModel

/// The worker process: takes jobs on standard input until it ends, and may die over any of them.
package struct Worker {
    private let images: ImageStore
    private let useSystem: Bool
    private let limits: ServiceLimits

    package init(dataFolder: String, useSystem: Bool, limits: ServiceLimits = ServiceLimits()) {
        images = ImageStore(folder: DataFolder.images(dataFolder))
        self.useSystem = useSystem
        self.limits = limits
    }

    /// Returns when the server closes its side.
    package func run() {
        guard let channel = claimStandardStreams() else { return }
        limitMemory()
        var symbolicator: (revision: Int64, symbolicator: Symbolicator)?
        while let (head, body) = try? channel.receive(deadline: nil) {
            limitProcessorTime()
            var document = Data()
            var reply = WorkerReply()
            do {
                let job = try ModelCoding.decode(WorkerJob.self, from: head)
                switch job.kind {
                case .ping: break
                case .image: reply.image = try store(job)
                case .group: (reply.summary, document) = try finish(try event(job, body))
                case .event:
                    if symbolicator?.revision != job.imageRevision {
                        symbolicator = (job.imageRevision, makeSymbolicator())
                    }
                    let event = try event(job, body)
                    (reply.summary, document) = try finish(symbolicator?.symbolicator.symbolicate(event) ?? event)
                }
            } catch let error as DebugImageError {
                reply.failure = WorkerReply.Failure(code: error.code.rawValue, message: error.message)
            } catch {
                reply.failure = WorkerReply.Failure(code: "failed", message: "\(error)")
            }
            guard let answer = try? ModelCoding.encode(reply),
                (try? channel.send(head: answer, body: document, deadline: nil)) != nil
            else { return }
        }
    }

    private func makeSymbolicator() -> Symbolicator {
        Symbolicator(finder: ImageFinder(store: images, useSystem: useSystem))
    }

    private func event(_ job: WorkerJob, _ body: Data) throws -> Event {
        var event = try ModelCoding.decode(Event.self, from: body)
        event.loss += job.loss
        return event
    }

    private func finish(_ event: Event) throws -> (WorkerReply.Summary, Data) {
        let summary = WorkerReply.Summary(event, grouping: Grouping.group(event))
        return (summary, try ModelCoding.encode(event.withoutMemory))
    }

    private func store(_ job: WorkerJob) throws -> WorkerReply.Image {
        let check = ImageCheck(path: job.path ?? "", surroundings: .store(images))
        let outcome = try images.add(check, move: true)
        guard let identity = check.identity else {
            throw DebugImageError(.malformed, path: check.path, "has no identity")
        }
        return WorkerReply.Image(
            buildID: identity.buildID?.description ?? "", outcome: .init(outcome), machine: identity.machine,
            hasCode: identity.hasCode, hasDebugInfo: identity.hasDebugInfo, size: identity.fileSize,
            findings: check.items)
    }

    /// Takes the pipes away from whatever library may print: its output goes to standard error.
    private func claimStandardStreams() -> FrameChannel? {
        _ = vaka_die_with_parent()
        let input = fcntl(0, F_DUPFD_CLOEXEC, 3)
        let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard input >= 0, output >= 0, null >= 0 else { return nil }
        dup2(null, 0)
        dup2(2, 1)
        close(null)
        return FrameChannel(input: input, output: output)
    }

    private func limitMemory() {
        var memory = rlimit(rlim_cur: rlim_t(limits.workerBytes), rlim_max: rlim_t(limits.workerBytes))
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
        var core = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
    }

    /// From what is used so far, twice a job's time: a backstop should the server be gone.
    private func limitProcessorTime() {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        limit.rlim_cur = min(rlim_t(used) + rlim_t(2 * limits.workerSeconds) + 1, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    }
}
