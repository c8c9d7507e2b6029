// SPDX-License-Identifier: Apache-2.0
import EventStore
import Glibc
import VakaModel

/// store-fill DATABASE EVENTS ISSUES: stores so many events of so many issues, through the store's own code. Of the issues
/// a few are hot and most are rare: the n-th has an n-th of the first one's events.
let eventsInTransaction = 500

func run() throws {
    guard CommandLine.arguments.count == 4, let events = Int(CommandLine.arguments[2]),
        let issues = Int(CommandLine.arguments[3]),
        let project = try SQLEventStore(path: CommandLine.arguments[1])
            .projects().first
    else { exit(2) }
    let store = try SQLEventStore(path: CommandLine.arguments[1])
    defer { store.close() }
    var random = SplitMix64(state: 7)
    let vocabulary = Vocabulary()
    let samples = try (1...issues).map { number in
        try SampleIssue(number, users: max(10, events / 20), vocabulary: vocabulary, random: &random)
    }
    let choice = RareAndFrequent(count: issues)
    let now = Timestamp.now
    var batch: [ProcessedEvent] = []
    for number in 1...events {
        // The first of each, then as they come.
        let issue = number <= issues ? number - 1 : choice.next(&random)
        batch.append(samples[issue].event(number, project: project.id, now: now, random: &random))
        guard batch.count == eventsInTransaction || number == events else { continue }
        _ = try store.complete(batch)
        batch = []
    }
}

/// Numbers from 0: the n-th is chosen an n-th as often as the first.
struct RareAndFrequent {
    private let sums: [Double]

    init(count: Int) {
        sums = (1...count).reduce(into: []) { sums, rank in sums.append((sums.last ?? 0) + 1 / Double(rank)) }
    }

    func next(_ random: inout SplitMix64) -> Int {
        let wanted = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

try run()
