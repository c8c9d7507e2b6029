// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
package import VakaModel

/// The batches on disk that wait to be delivered to one destination, oldest first.
///
/// Safe for several threads and processes: each change is made under the folder's lock.
package struct BatchQueue: Sendable {
    package let folder: StorageFolder
    package let limits: DeliveryLimits
    let place: QueuePlace
    /// Where the batch files are.
    package var pending: String { place.pending }
    /// Where what the service wants of the program is kept.
    package var folderOfSettings: String { place.path }
    var spool: String { place.path + "/spool" }
    private let sdk: SDKInfo
    private let installID: String

    /// Without a destination: what waits for whoever sends next.
    package init(folder: StorageFolder, sdk: SDKInfo, limits: DeliveryLimits = DeliveryLimits()) throws(StorageError) {
        try self.init(folder, QueuePlace(folder), sdk, limits)
    }

    package init(
        folder: StorageFolder, destination: Destination, sdk: SDKInfo, limits: DeliveryLimits = DeliveryLimits()
    ) throws(StorageError) {
        try self.init(folder, try QueuePlace(folder, destination), sdk, limits)
    }

    private init(
        _ folder: StorageFolder, _ place: QueuePlace, _ sdk: SDKInfo, _ limits: DeliveryLimits
    ) throws(StorageError) {
        self.folder = folder
        self.place = place
        self.sdk = sdk
        self.limits = limits
        installID = try folder.installID()
    }

    /// The queues of the folder that have a destination.
    static func addressed(
        in folder: StorageFolder, sdk: SDKInfo, limits: DeliveryLimits
    ) -> [(destination: Destination, queue: BatchQueue)] {
        QueuePlace.all(folder).compactMap { destination, place in
            (try? BatchQueue(folder, place, sdk, limits)).map { (destination, $0) }
        }
    }

    /// Writes the items durably, as one or more batches. What has to make room for them is counted, together with
    /// `losses`, in a `client_report` that travels along.
    package func add(_ items: [BatchItem], losses: Losses = Losses(), time: Timestamp) throws(StorageError) {
        guard !items.isEmpty || !losses.isEmpty else { return }
        let lock = try FileLock(waitingFor: place.queueLock)
        defer { withExtendedLifetime(lock) {} }
        removeUnfinished()

        var losses = losses
        var parts = divide(items.filter { $0.kind != .recording })
        while parts.count > limits.files { losses.add(.queueOverflow, items: parts.removeFirst()) }
        let recordings = makeRoom(for: divide(items.filter { $0.kind == .recording }), beside: parts.count, &losses)
        // The losses alone need a batch, too; those of recordings are no reason to give up anything else.
        let needed = parts.isEmpty && !items.contains { $0.kind == .recording } ? 1 : parts.count
        losses.merge(try makeRoom(for: needed + recordings.count))
        if !losses.isEmpty {
            let report = losses.item(id: Self.newID(), time: time)
            if !parts.isEmpty {
                parts[parts.count - 1].append(report)
            } else if files().count + recordings.count < limits.files || needed > 0 {
                parts = [[report]]
            } else {
                try addToLast(report)
            }
        }
        for part in parts + recordings { try write(part, number: try nextNumber(), time: time) }
    }

    private func divide(_ items: [BatchItem]) -> [[BatchItem]] {
        BatchDivision.divide(items, limits: limits, item: \.self)
    }

    /// Names of the waiting batch files, oldest first.
    package func files() -> [String] {
        folder.names(in: place.pending).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    }

    /// The one to be sent first, of those that are not in `left`: crashes before all else.
    func next(leaving left: Set<String>) -> String? {
        let files = files().filter { !left.contains($0) }
        return files.first { $0.hasSuffix(Self.crashSuffix) } ?? files.first
    }

    /// The batch of a file; nil where it is gone by now. Throws a `StorageError`, or a `DecodingError` where the file is
    /// no batch.
    package func batch(_ file: String) throws -> Batch? {
        guard let data = try DurableFile.read(place.pending + "/" + file) else { return nil }
        return try ModelCoding.decode(Batch.self, from: data)
    }

    package func remove(_ file: String) throws(StorageError) {
        // What was delivered and stays would be sent again: that is worth a longer wait.
        let lock = try FileLock(waitingFor: place.queueLock, atMost: .seconds(30))
        defer { withExtendedLifetime(lock) {} }
        try unlink(file)
    }

    private func unlink(_ file: String) throws(StorageError) {
        try DurableFile.remove(place.pending + "/" + file)
    }

    /// Puts the second half of a batch into a file of its own, and then the first in the place of the whole: whatever
    /// happens between, nothing is lost.
    package func split(_ file: String, _ batch: Batch) throws -> Losses {
        let lock = try FileLock(waitingFor: place.queueLock)
        defer { withExtendedLifetime(lock) {} }
        guard try self.batch(file) == batch else { return Losses() }
        let losses = try makeRoom(for: 1, sparing: file)
        let middle = (batch.items.count + 1) / 2
        try write(Array(batch.items[middle...]), number: try nextNumber(), time: batch.sentAt)
        try write(batch, with: Array(batch.items[..<middle]), name: file)
        return losses
    }

    /// Writes other items in the place of a batch's, unless those have changed meanwhile.
    package func replace(_ file: String, _ batch: Batch, items: [BatchItem]) throws {
        let lock = try FileLock(waitingFor: place.queueLock)
        defer { withExtendedLifetime(lock) {} }
        guard try self.batch(file) == batch else { return }
        try write(batch, with: items, name: file)
    }

    /// Takes items out, also of what is in no batch yet.
    func removeItems(where isRemoved: (BatchItem) -> Bool) throws {
        for file in files() { try removeItems(of: file, where: isRemoved) }
        SpoolFile.removeItems(self, where: isRemoved)
    }

    /// The lock is taken for each file anew, for others wait for it.
    private func removeItems(of file: String, where isRemoved: (BatchItem) -> Bool) throws {
        let lock = try FileLock(waitingFor: place.queueLock)
        defer { withExtendedLifetime(lock) {} }
        guard let batch = try? batch(file) else { return }
        let kept = batch.items.filter { !isRemoved($0) }
        if kept.isEmpty {
            try unlink(file)
        } else if kept.count < batch.items.count {
            try write(batch, with: kept, name: file)
        }
    }

    private func write(_ batch: Batch, with items: [BatchItem], name: String) throws(StorageError) {
        var batch = batch
        batch.items = items
        try write(batch, name: name)
    }

    package static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        return BuildID(bytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })?.description ?? ""
    }

    private func makeRoom(for count: Int, sparing spared: String? = nil) throws(StorageError) -> Losses {
        var losses = Losses()
        let waiting = files()
        let excess = max(0, waiting.count + count - limits.files)
        // Recordings before all else.
        let (recordings, others) = (waiting.filter(Self.isRecording), waiting.filter { !Self.isRecording($0) })
        for file in (recordings + others).filter({ $0 != spared }).prefix(excess) { giveUp(file, &losses) }
        return losses
    }

    /// Gives up older recordings for newer ones, and of these what there is no room for: they never take the place of
    /// anything else.
    private func makeRoom(for recordings: [[BatchItem]], beside count: Int, _ losses: inout Losses) -> [[BatchItem]] {
        guard !recordings.isEmpty else { return [] }
        let waiting = files()
        let others = waiting.count { !Self.isRecording($0) }
        let room = min(limits.recordingFiles, max(0, limits.files - others - count))
        for part in recordings.dropLast(room) { losses.add(.queueOverflow, items: part) }
        let kept = Array(recordings.suffix(room))
        let older = waiting.filter(Self.isRecording)
        for file in older.prefix(max(0, older.count + kept.count - room)) { giveUp(file, &losses) }
        return kept
    }

    private func addToLast(_ item: BatchItem) throws(StorageError) {
        guard let file = files().last, let batch = try? batch(file) else { return }
        try write(batch, with: batch.items + [item], name: file)
    }

    private static func isRecording(_ file: String) -> Bool { file.hasSuffix(recordingSuffix) }

    private func giveUp(_ file: String, _ losses: inout Losses) {
        if let items = try? batch(file)?.items {
            losses.add(.queueOverflow, items: items)
        } else {
            losses.add(.unreadable, kind: "batch")
        }
        try? unlink(file)
    }

    private func write(_ items: [BatchItem], number: UInt64, time: Timestamp) throws(StorageError) {
        let batch = Batch(sdk: sdk, installID: installID, sequence: number, sentAt: time, items: items)
        let digits = String(number)
        let isRecording = items.contains { $0.kind == .recording }
        let suffix = items.contains(where: \.isCrash) ? Self.crashSuffix : isRecording ? Self.recordingSuffix : ".json"
        try write(batch, name: String(repeating: "0", count: 20 - digits.count) + digits + suffix)
    }

    private static let crashSuffix = ".crash.json"
    private static let recordingSuffix = ".recording.json"

    private func write(_ batch: Batch, name: String) throws(StorageError) {
        guard let data = try? ModelCoding.encode(batch) else {
            throw StorageError("encode", place.pending + "/" + name, code: EILSEQ)
        }
        try DurableFile.write(data, name: name, folder: place.pending)
    }

    /// Counts on from the file `sequence`; where that is lost, from the waiting batches.
    private func nextNumber() throws(StorageError) -> UInt64 {
        let kept = try DurableFile.read(place.path + "/sequence", limit: 64)
            .flatMap { UInt64(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) }
        let waiting = files().last.flatMap { UInt64($0.prefix { $0 != "." }) }
        let last = max(kept ?? 0, waiting ?? 0)
        let number = last < UInt64.max ? last + 1 : 1
        try DurableFile.write(Data("\(number)\n".utf8), name: "sequence", folder: place.path)
        return number
    }

    /// Under the lock nobody is writing: what is unfinished will stay so.
    private func removeUnfinished() {
        for name in folder.names(in: place.pending) where name.hasPrefix(DurableFile.temporaryPrefix) {
            Glibc.unlink(place.pending + "/" + name)
        }
    }
}
