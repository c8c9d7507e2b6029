// SPDX-License-Identifier: Apache-2.0
package import BlobStore
import DebugImages
import FoundationEssentials
import VakaModel

/// Connects a data folder with the blob store that its images are in, at the start: `blobs.json` remembers which.
struct BlobSetup {
    let folder: DataFolder
    let options: ServiceOptions
    let metrics: Metrics
    let log: Log

    /// Nil where images are in the folder.
    func vault() throws -> ImageVault? {
        let known = BlobAddress.read(folder.layout)
        guard let address = options.blobs else {
            guard let known else { return nil }
            throw ServiceError(
                "the images of \(folder.path) are in \(known.address): start the server with \(known.options)")
        }
        if let known, known.address != address.address {
            throw ServiceError(
                "the images of \(folder.path) are in \(known.address), not in \(address.address): copy all that is there, then "
                    + "remove \(folder.layout.blobs)")
        }
        let vault = try open(address)
        try check(vault, isKnown: known != nil)
        if known == nil { try move(vault) }
        try write(address)
        return vault
    }

    private func open(_ address: BlobAddress) throws -> ImageVault {
        do throws(BlobError) {
            let store = try address.open(ProcessInfo.processInfo.environment)
            return ImageVault(
                blobs: WatchedBlobs(store, metrics: metrics, log: log), images: ImageStore(folder: folder.images),
                cacheBytes: options.limits.blobCacheBytes, metrics: metrics, log: log)
        } catch {
            throw ServiceError("--blobs \(error)")
        }
    }

    /// One that never answered may be the wrong one; one that did is waited for.
    private func check(_ vault: ImageVault, isKnown: Bool) throws {
        do throws(BlobError) {
            try vault.blobs.check()
        } catch {
            guard isKnown, error.code == .away else {
                throw ServiceError("--blobs cannot be used: \(error)")
            }
        }
    }

    /// Images that are here already have their home there from now on.
    private func move(_ vault: ImageVault) throws {
        let images = vault.images.buildIDs()
        guard !images.isEmpty else { return }
        log.info(
            "images_move",
            "moving \(images.count) images to \(vault.blobs.name); the server starts when they are there",
            ["images": .integer(Int64(images.count))])
        for buildID in images {
            do throws(BlobError) {
                do throws(BlobError) {
                    try vault.publish(buildID)
                } catch {
                    // A start that was cut off, or another machine, has put it there.
                    guard error.code == .changed else { throw error }
                    _ = try vault.bring(buildID, revision: nil, mayBeOld: false)
                }
            } catch {
                throw ServiceError("cannot move the images to \(vault.blobs.name): \(error); start again to go on")
            }
        }
    }

    private func write(_ address: BlobAddress) throws {
        do {
            try ModelCoding.encode(address, pretty: true).write(
                to: URL(filePath: folder.layout.blobs), options: .atomic)
        } catch {
            throw ServiceError("cannot write \(folder.layout.blobs): \(error)")
        }
    }
}

extension BlobAddress {
    /// Where the images of a data folder, or of a backup of one, are; nil where they are in it.
    package static func read(_ folder: DataFolder.Layout) -> BlobAddress? {
        guard let data = try? Data(contentsOf: URL(filePath: folder.blobs)) else { return nil }
        return try? ModelCoding.decode(BlobAddress.self, from: data)
    }
}
