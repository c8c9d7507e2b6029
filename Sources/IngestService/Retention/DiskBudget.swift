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
        var stopping = false
        var isAsked = false
        var used: UInt64 = 0
        var isExhausted = false
    }

    private static let pause = 15.0

    /// Bytes; nil is no bound.
    let budget: UInt64?
    private let folder: String
    private let store: any EventStore
    private let unusedImages: UnusedImages
    private let unusedImageDays: Int
    private let metrics: Metrics
    private let log: @Sendable (String) -> Void
    private let state = Monitor(State())

    init(
        limits: ServiceLimits, folder: String, store: any EventStore, unusedImages: UnusedImages, metrics: Metrics,
        log: @escaping @Sendable (String) -> Void
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
        startThread { [self] in run() }
    }

    func stop() {
        state.update { $0.stopping = true }
    }

    /// Looks at once.
    func wake() {
        state.update { $0.isAsked = true }
    }

    /// Bytes when it last looked.
    var used: UInt64 { state.withLock { $0.used } }

    /// More is used than the budget, by what is not given up.
    var isExhausted: Bool { state.withLock { $0.isExhausted } }

    /// Throws the refusal of what would need room.
    func requireRoom() throws(APIError) {
        guard isExhausted, let budget else { return }
        throw APIError.overBudget(budget)
    }

    private func run() {
        while true {
            state.withLock { $0.isAsked = false }
            do {
                try look()
            } catch {
                log("cannot keep to the disk budget: \(error)")
            }
            let stops = state.wait(seconds: Self.pause) { $0.stopping ? true : $0.isAsked ? false : nil }
            if stops == true { return }
        }
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
        let before = state.update { state in
            defer {
                state.used = use.bytes
                state.isExhausted = isExhausted
            }
            return state.isExhausted
        }
        guard before != isExhausted, let budget else { return }
        log(
            isExhausted
                ? "the disk budget of \(budget) bytes is used up (\(use.bytes)) by what is not given up: nothing more is taken. "
                    + "Raise --disk-budget, or remove debug images that no event needs"
                : "there is room in the disk budget again")
    }

    /// In this order, until what is left needs at most `target`.
    private func giveUp(_ use: DiskUse, to target: UInt64) throws {
        let steps = RetentionSteps(store: store) { [state] seconds in
            state.wait(seconds: seconds) { $0.stopping ? true : nil } == nil
        }
        var use = use
        func excess() -> UInt64 { use.needed - min(use.needed, target) }
        if excess() > 0 {
            let caches = SymbolCacheFolder(path: DataFolder.symbolCaches(folder))
            caches.trim(to: use.symbolCaches - min(use.symbolCaches, excess()))
            let fetched = ImageStore(folder: DataFolder.fetchedImages(folder))
            use.symbolCaches = FolderSize.bytes(caches.path)
            fetched.trim(to: use.fetched - min(use.fetched, excess()))
            use.fetched = FolderSize.bytes(fetched.folder)
        }
        let isOver = { () throws -> Bool in
            use.database = try self.store.size()
            return excess() > 0
        }
        let reports = try steps.repeating(while: isOver) { size throws(StoreError) in
            try store.giveUpReports(limit: size, bytes: excess())
        }
        metrics.add(.reportsGivenUp, reports)
        let attachments = try steps.repeating(while: isOver) { size throws(StoreError) in
            try store.giveUpAttachments(limit: size, bytes: excess())
        }
        metrics.add(.attachmentsGivenUp, attachments)
        let events = try steps.removeEvents(.everywhere, while: isOver)
        metrics.add(.eventsRemovedByBudget, events)
        let images = try removeImages(while: isOver) { use.images -= min(use.images, $0) }
        if reports + attachments + events + images > 0 {
            log(
                "gave up for the disk budget: the memory of \(reports) events, \(attachments) attachments, \(events) events, "
                    + "\(images) images"
            )
        }
        try steps.shrink()
    }

    /// Those that no event needs.
    private func removeImages(while isOver: () throws -> Bool, _ removed: (UInt64) -> Void) throws -> Int {
        let day = CountUnit.day.milliseconds
        let time = Timestamp(milliseconds: Timestamp.now.milliseconds - Int64(unusedImageDays) * day)
        var images = 0
        while try isOver(), let round = try unusedImages.remove(before: time, project: nil) {
            images += round.images
            removed(round.bytes)
        }
        return images
    }
}
