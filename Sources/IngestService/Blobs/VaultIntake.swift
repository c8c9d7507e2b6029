// SPDX-License-Identifier: Apache-2.0
import BlobStore
import Glibc
import VakaModel

/// Takes uploaded files into a vault: a worker compares a file with what the store has, and what it keeps is sent there
/// before the sender is answered. The file itself stays until then.
struct VaultIntake {
    private static let tries = 3

    let vault: ImageVault
    let intake: ImageIntake
    let temporaryFolder: String

    func take(_ job: WorkerJob, hash: String?) throws -> WorkerReply {
        let identified = try identify(job, hash)
        guard let buildID = identified.buildID else { return identified.reply }
        vault.lease([buildID])
        defer { vault.release([buildID]) }
        var failure = BlobError(.changed, "others change the image all the time")
        for _ in 0..<Self.tries {
            do {
                return try takeOnce(job, hash, buildID)
            } catch let error as BlobError {
                guard error.code == .changed else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func takeOnce(_ job: WorkerJob, _ hash: String?, _ buildID: BuildID) throws -> WorkerReply {
        _ = try vault.bring(buildID, revision: nil, mayBeOld: false, leavingOutDamage: true)
        let copy = temporaryFolder + "/taken-\(UInt64.random(in: 0 ... .max))"
        guard let path = job.path, link(path, copy) == 0 else { throw FileSink.failure("keep the upload") }
        defer { unlink(copy) }
        var copied = job
        copied.path = copy
        do {
            let reply = try intake.take(copied, hash: hash)
            if reply.isStored { try vault.publish(buildID) }
            return reply
        } catch {
            vault.forget(buildID)
            throw error
        }
    }

    /// The build id that a file is of; else the reply that says why it has none.
    private func identify(_ job: WorkerJob, _ hash: String?) throws -> (buildID: BuildID?, reply: WorkerReply) {
        if let buildID = job.buildID { return (buildID, WorkerReply()) }
        var question = job
        question.kind = job.kind == .bundle ? .identifyBundle : .identify
        let reply = try intake.take(question, hash: hash)
        return (reply.identified.flatMap { BuildID(hex: $0) }, reply)
    }
}

extension WorkerReply {
    /// The file is in the image folder now.
    fileprivate var isStored: Bool {
        for outcome in [image?.outcome, package?.outcome] {
            switch outcome {
            case .stored?, .storedAside?: return true
            default: break
            }
        }
        return bundle?.outcome == "stored"
    }
}
