// SPDX-License-Identifier: Apache-2.0
import BlobStore
import DebugImages
import VakaModel

/// The files of uploaded images, wherever their home is.
struct UploadedFiles: Sendable {
    /// Their home, or what is here of it.
    let folder: ImageStore
    let intake: ImageIntake
    /// Nil where the folder is their home.
    let vault: ImageVault?
    let temporaryFolder: String
    let removals: BuildIDFolder

    var areElsewhere: Bool { vault != nil }

    /// Has a worker read a file and keep it. When this returns, what was kept is at its home.
    func take(_ job: WorkerJob, hash: String?) throws -> WorkerReply {
        guard let vault else { return try intake.take(job, hash: hash) }
        do {
            return try VaultIntake(vault: vault, intake: intake, temporaryFolder: temporaryFolder).take(job, hash: hash)
        } catch let error as BlobError {
            throw APIError.blobs(error)
        }
    }

    /// Runs an upload, or refuses it where too many wait.
    func uploading<Value>(_ body: () throws -> Value) throws -> Value {
        guard let vault else { return try body() }
        return try vault.uploading(body)
    }

    /// Sees to it that what there is of a build id is in the folder.
    func bring(_ buildID: BuildID) throws(APIError) {
        guard let vault else { return }
        do throws(BlobError) {
            _ = try vault.bring(buildID, revision: nil, mayBeOld: true)
        } catch {
            throw APIError.blobs(error)
        }
    }

    func requireAnswer() throws(APIError) {
        guard vault?.blobs.isAway == true else { return }
        throw APIError.blobs(BlobError(.away, ""))
    }

    /// Removes all that there is of a build id; the bytes that it took. What cannot be removed now is removed later.
    func remove(_ buildID: BuildID) -> UInt64 {
        guard let vault else { return folder.remove(buildID) }
        removals.add(buildID)
        guard let bytes = try? vault.remove(buildID) else { return 0 }
        removals.remove(buildID)
        return bytes
    }

    /// Makes room of what can be had again.
    func giveUpCopies(to bytes: UInt64) {
        vault?.trim(to: bytes)
    }
}
