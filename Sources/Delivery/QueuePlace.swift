// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The files of one queue.
///
///     pending/<number>.json        batches, in the order of their making; with a crash `<number>.crash.json`
///     sequence                     the last number
///     spool/<id>.items             what a process has in memory still, see SpoolFile
///     settings.json                what the service wants of the program
///     queue.lock, send.lock        held while pending/ is changed, and while it is sent
///     destination.json             for whom (mode 0600: it holds the key), unless the queue is the folder's own, which is for nobody in particular
struct QueuePlace: Hashable, Sendable {
    let path: String

    var pending: String { path + "/pending" }
    var queueLock: String { path + "/queue.lock" }
    var sendLock: String { path + "/send.lock" }

    /// Of no destination.
    init(_ folder: StorageFolder) {
        path = folder.path
    }

    private init(path: String) {
        self.path = path
    }

    /// Made where it is missing.
    init(_ folder: StorageFolder, _ destination: Destination) throws(StorageError) {
        self.init(path: folder.queues + "/" + destination.id)
        for made in [folder.queues, path, pending] { try StorageFolder.make(made) }
        let file = path + "/" + Destination.fileName
        guard let document = try? destination.document else { throw StorageError("encode", file, code: EILSEQ) }
        guard (try? DurableFile.read(file, limit: Self.documentLimit)) != document else { return }
        let lock = try FileLock(waitingFor: queueLock)
        defer { withExtendedLifetime(lock) {} }
        try DurableFile.write(document, name: Destination.fileName, folder: path)
    }

    private static let documentLimit = 1 << 16

    /// Those that are there, and for whom they are.
    static func all(_ folder: StorageFolder) -> [(destination: Destination, place: QueuePlace)] {
        folder.names(in: folder.queues).compactMap { name in
            let path = folder.queues + "/" + name
            guard let data = try? DurableFile.read(path + "/" + Destination.fileName, limit: documentLimit),
                let destination = Destination(document: data), destination.id == name
            else { return nil }
            return (destination, QueuePlace(path: path))
        }
    }
}
