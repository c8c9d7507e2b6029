// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Testing
import VakaModel
import VakaObservation

@Suite struct ActionQueueTests {
    /// A toolkit's loop that runs when the test says so.
    private final class Loop: Sendable {
        let work = Mutex<[@Sendable () -> Void]>([])

        func runAll() {
            while true {
                let next = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let next else { return }
                next()
            }
        }
    }

    private final class Counts: Sendable {
        let values = Mutex((done: 0, most: 0))

        func note(atOnce count: Int) {
            values.withLock { values in
                values.done += 1
                values.most = max(values.most, count)
            }
        }
    }

    private func queue(_ loop: Loop, limit: Int) -> ActionQueue {
        ActionQueue(limit: limit) { work in loop.work.withLock { $0.append(work) } }
    }

    private func outcome(_ queue: ActionQueue, _ value: Int = 1) async -> Result<Int, ObservationRejection> {
        do throws(ObservationRejection) {
            return .success(try await queue.run { () throws(ObservationRejection) in value })
        } catch {
            return .failure(error)
        }
    }

    @Test func whatDoesNotFitIsOverloaded() async throws {
        let loop = Loop()
        let queue = queue(loop, limit: 2)
        async let first = outcome(queue, 1)
        async let second = outcome(queue, 2)
        try await until { queue.count == 2 && loop.work.withLock { $0.count } == 2 }
        #expect(await outcome(queue) == .failure(.actionQueueOverloaded))
        loop.runAll()
        let outcomes = [await first, await second]
        #expect(outcomes == [.success(1), .success(2)])
        #expect(queue.count == 0)
    }

    @Test func aStopCancelsWhatWaits() async throws {
        let loop = Loop()
        let queue = queue(loop, limit: 4)
        let counts = Counts()
        async let waiting: Bool = {
            do throws(ObservationRejection) {
                try await queue.run { () throws(ObservationRejection) in counts.note(atOnce: 1) }
                return false
            } catch {
                return error == .actionCancelled
            }
        }()
        try await until { loop.work.withLock { $0.count } == 1 }
        queue.stop()
        let isCancelled = await waiting
        #expect(isCancelled)
        // The loop still has it, and does nothing.
        loop.runAll()
        #expect(counts.values.withLock { $0.done } == 0)
        #expect(await outcome(queue) == .failure(.actionCancelled))
    }

    @Test func aCancelledTaskIsNotDone() async throws {
        let loop = Loop()
        let queue = queue(loop, limit: 4)
        let task = Task { await outcome(queue) }
        try await until { loop.work.withLock { $0.count } == 1 }
        task.cancel()
        #expect(await task.value == .failure(.actionCancelled))
        #expect(queue.count == 0)
    }

    @Test func whatItThrowsIsWhatItSays() async {
        let queue = ActionQueue { work in DispatchQueue.global().async(execute: work) }
        await #expect(throws: ObservationRejection.elementNotActionable) {
            try await queue.run { () throws(ObservationRejection) in throw .elementNotActionable }
        }
    }

    /// Many tasks, cancellations and a stop in between: each ends once, the bound holds, and what said that it was done was.
    @Test(arguments: 1...8)
    func theBoundHoldsUnderManyThreads(seed: UInt64) async {
        let limit = 4
        let serial = DispatchQueue(label: "loop")
        let queue = ActionQueue(limit: limit) { work in serial.async(execute: work) }
        let counts = Counts()
        let outcomes = await withTaskGroup(of: Result<Int, ObservationRejection>.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let task = Task { () -> Result<Int, ObservationRejection> in
                        do throws(ObservationRejection) {
                            return .success(
                                try await queue.run { () throws(ObservationRejection) in
                                    counts.note(atOnce: queue.count)
                                    return number
                                })
                        } catch {
                            return .failure(error)
                        }
                    }
                    if (UInt64(number) &* seed) % 7 == 0 { task.cancel() }
                    if number == 150, seed % 2 == 0 { queue.stop() }
                    return await task.value
                }
            }
            var all: [Result<Int, ObservationRejection>] = []
            for await outcome in group { all.append(outcome) }
            return all
        }
        #expect(outcomes.count == 200 && queue.count == 0)
        #expect(outcomes.count { (try? $0.get()) != nil } == counts.values.withLock { $0.done })
        #expect(counts.values.withLock { $0.most } <= limit)
        let reasons: Set<ObservationRejection> = [.actionQueueOverloaded, .actionCancelled]
        for case .failure(let reason) in outcomes { #expect(reasons.contains(reason)) }
    }
}
