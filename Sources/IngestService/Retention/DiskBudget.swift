// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import Symbolication
import Synchronization
import VakaModel

/// Keeps the data folder within its budget: looks every few seconds, and gives up what is missed least, a little more than
/// is needed. What waits to be worked on is never given up; when nothing else is left, nothing more is taken.
final class DiskBudget: Sendable {
    private struct State {
        var use: DiskUse?
        var isExhausted = false
    }

    /// Bytes; nil is no bound.
    let budget: UInt64?
    private let folder: String
    private let store: any EventStore
    private let unusedImages: UnusedImages
    private let unusedImageDays: Int
    private let metrics: Metrics
    private let log: Log
    private let rounds = Rounds(every: 15)
    private let state = Mutex(State())

    init(
        limits: ServiceLimits, folder: String, store: any EventStore, unusedImages: UnusedImages, metrics: Metrics,
        log: Log
    ) {
        budget = limits.diskBytes
        unusedImageDays = limits.unusedImageDays
        self.unusedImages = unusedImages
        self.folder = folder
        self.store = store
        self.metrics = metrics
        self.log = log
    }

    func start() {
        rounds.start { [self] in
            do {
                try look()
            } catch {
                log.error(
                    "disk_budget_failed", "cannot keep to the disk budget: \(error)", ["reason": .string("\(error)")])
            }
        }
    }

    func stop() {
        rounds.stop()
    }

    /// Looks at once.
    func wake() {
        rounds.wake()
    }

    /// Bytes when it last looked.
    var used: UInt64 { use?.bytes ?? 0 }

    /// By kind, when it last looked; nil before that.
    var use: DiskUse? { state.withLock { $0.use } }

    /// More is used than the budget, by what is not given up.
    var isExhausted: Bool { state.withLock { $0.isExhausted } }

    /// Throws the refusal of what would need room.
    func requireRoom() throws(APIError) {
        guard isExhausted, let budget else { return }
        throw APIError.overBudget(budget)
    }

    private func look() throws {
        var use = try DiskUse(folder: folder, store: store)
        guard let budget else { return note(use, isExhausted: false) }
        if use.bytes > budget {
            try giveUp(use, to: budget - budget / 20)
            use = try DiskUse(folder: folder, store: store)
        }
        note(use, isExhausted: use.bytes > budget)
    }

    private func note(_ use: DiskUse, isExhausted: Bool) {
        let before = state.withLock { state in
            defer {
                state.use = use
                state.isExhausted = isExhausted
            }
            return state.isExhausted
        }
        guard before != isExhausted, let budget else { return }
        let fields: [String: JSONValue] = ["budget": .integer(Int64(budget)), "used": .integer(Int64(use.bytes))]
        guard isExhausted else {
            return log.info("disk_budget_has_room", "there is room in the disk budget again", fields)
        }
        log.error(
            "disk_budget_exhausted",
            "the disk budget of \(budget) bytes is used up (\(use.bytes)) by what is not given up: nothing more is taken. "
                + "Raise --disk-budget, or remove debug images that no event needs", fields)
    }

    /// In this order, until what is left needs at most `target`.
    private func giveUp(_ use: DiskUse, to target: UInt64) throws {
        let steps = RetentionSteps(store: store, rest: rounds.rest)
        var use = use
        func excess() -> UInt64 { use.needed - min(use.needed, target) }
        if excess() > 0 {
            let caches = SymbolCacheFolder(path: DataFolder.symbolCaches(folder))
            caches.trim(to: use.symbolCaches - min(use.symbolCaches, excess()))
            let fetched = ImageStore(folder: DataFolder.fetchedImages(folder))
            use.symbolCaches = FolderSize.bytes(caches.path)
            fetched.trim(to: use.fetched - min(use.fetched, excess()))
            use.fetched = FolderSize.bytes(fetched.folder)
            unusedImages.images.giveUpCopies(to: use.images - min(use.images, excess()))
            use.images = FolderSize.bytes(DataFolder.images(folder))
        }
        let isOver = { () throws -> Bool in
            if self.store.isInFolder { use.database = try self.store.size() }
            return excess() > 0
        }
        let isOverByRows = { () throws -> Bool in try self.store.isInFolder && isOver() }
        let recordings = try steps.repeating(while: isOverByRows) { size throws(StoreError) in
            try store.giveUpRecordings(limit: size, bytes: excess())
        }
        metrics.add(.recordingsGivenUp, recordings)
        let reports = try steps.repeating(while: isOverByRows) { size throws(StoreError) in
            try store.giveUpReports(limit: size, bytes: excess())
        }
        metrics.add(.reportsGivenUp, reports)
        let attachments = try steps.repeating(while: isOverByRows) { size throws(StoreError) in
            try store.giveUpAttachments(limit: size, bytes: excess())
        }
        metrics.add(.attachmentsGivenUp, attachments)
        let exchanges = try steps.repeating(while: isOverByRows) { size throws(StoreError) in
            try store.giveUpExchanges(limit: size)
        }
        metrics.add(.exchangesGivenUp, exchanges)
        let events = try steps.removeEvents(.everywhere, while: isOverByRows)
        metrics.add(.eventsRemovedByBudget, events)
        let images = try removeImages(while: isOver) { use.images -= min(use.images, $0) }
        if recordings + reports + attachments + exchanges + events + images > 0 {
            log.info(
                "disk_budget_gave_up",
                "gave up for the disk budget: \(recordings) parts of recordings, the memory of \(reports) events, "
                    + "\(attachments) attachments, \(exchanges) network records, \(events) events, \(images) images",
                [
                    "recordings": .integer(Int64(recordings)), "reports": .integer(Int64(reports)),
                    "attachments": .integer(Int64(attachments)), "exchanges": .integer(Int64(exchanges)),
                    "events": .integer(Int64(events)), "images": .integer(Int64(images)),
                ])
        }
        try steps.shrink()
    }

    /// Those that no event needs.
    private func removeImages(while isOver: () throws -> Bool, _ removed: (UInt64) -> Void) throws -> Int {
        let day = CountUnit.day.milliseconds
        let time = Timestamp(milliseconds: store.now.milliseconds - Int64(unusedImageDays) * day)
        var images = 0
        // To remove them elsewhere would bring no room here.
        guard !unusedImages.images.areElsewhere else { return 0 }
        while try isOver(), let round = try unusedImages.remove(before: time, project: nil) {
            images += round.images
            removed(round.bytes)
        }
        return images
    }
}
