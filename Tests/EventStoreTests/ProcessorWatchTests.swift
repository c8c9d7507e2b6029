// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EventStore

/// Whether what can wait should leave the processors to what is accepted.
@Suite struct ProcessorWatchTests {
    private let start = ContinuousClock.now

    /// Ten groups in 100 ms, of which the thread waits `waited` for a processor.
    private func outcome(batches: Int, waited: Duration?) -> [Bool?] {
        var watch = ProcessorWatch(at: start, waited: waited.map { _ in .zero })
        return (1...10).map { number in
            watch.noted(
                batches: batches, at: start + .milliseconds(10 * number), waited: waited.map { $0 * number / 10 })
        }
    }

    @Test func manyThatWaitForAProcessorArePressed() {
        #expect(outcome(batches: 5, waited: .milliseconds(30)) == [nil, nil, nil, nil, true, nil, nil, nil, nil, true])
    }

    @Test func aSlowDiskIsNoPressure() {
        #expect(outcome(batches: 60, waited: .milliseconds(3)).compactMap(\.self) == [false, false])
    }

    @Test func aFewAreNone() {
        #expect(outcome(batches: 1, waited: .milliseconds(90)).compactMap(\.self) == [false, false])
    }

    @Test func whereTheSystemDoesNotTellThereIsNone() {
        #expect(outcome(batches: 60, waited: nil).compactMap(\.self) == [false, false])
    }

    @Test func aThreadThatRunsAloneHasHardlyWaited() throws {
        let before = try #require(ProcessorWatch.waited())
        let after = try #require(ProcessorWatch.waited())
        #expect(after >= before)
    }

    @Test func aStoreWithoutLoadIsNotPressed() throws {
        let fixture = try StoreFixture()
        #expect(!fixture.store.isPressed)
    }
}
