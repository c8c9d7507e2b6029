// SPDX-License-Identifier: Apache-2.0
import DebugImages
import VakaModel

/// Gives new files, images and source bundles, to a worker, which reads them and moves them into a store. What ends two
/// workers is not tried again: a new file is known by its bytes from then on, a stored one, with which it was compared, is
/// left out.
struct ImageIntake: Sendable {
    let malformed: MalformedImages
    let metrics: Metrics
    let log: Log
    let askWorker: @Sendable (WorkerJob) throws -> WorkerProcess.Outcome

    /// - Parameters:
    ///   - hash: of the file's bytes; without one it is not remembered.
    /// - Returns: what was found of it, or why it was not taken. The file is gone from `job.path` only when it was taken.
    func take(_ job: WorkerJob, hash: String?) throws -> WorkerReply {
        if let hash, let reason = malformed.reason(contents: hash) {
            return failure("\(reason); it was not tried again", job)
        }
        let path = job.path ?? ""
        var deaths: [String: Int] = [:]
        while true {
            switch try askWorker(job) {
            case .reply(let reply, _): return reply
            case .died(let death):
                log.warning(
                    "upload_ended_worker", "an upload ended the worker: \(death.reason)",
                    ["reason": .string(death.reason)])
                let culprit = death.image ?? path
                deaths[culprit, default: 0] += 1
                // Once may be chance.
                guard deaths[culprit] == 2 else { continue }
                metrics.add(.imagesMalformed)
                let reason = "reading it ended two workers (\(death.reason))"
                if culprit == path {
                    if let hash { malformed.remember(contents: hash, reason: reason) }
                    return failure(death.reason, job)
                }
                malformed.remember(file: culprit, reason: reason)
            }
        }
    }

    private func failure(_ reason: String, _ job: WorkerJob) -> WorkerReply {
        let (what, cure) =
            switch job.kind {
            case .bundle, .identifyBundle: ("a source bundle", "make it anew with vaka bundle")
            case .package: ("a .dwp package", "make it anew with dwp")
            default: ("an ELF image", "link it anew and upload it again")
            }
        var reply = WorkerReply()
        reply.failure = WorkerReply.Failure(
            code: DebugImageError.Code.malformed.rawValue, message: "could not be read as \(what) (\(reason)); \(cure)")
        return reply
    }
}
