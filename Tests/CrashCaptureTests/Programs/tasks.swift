// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization

// Takes snapshots of itself while tasks, queues and threads work whose results are known: tasks COUNT. The library has
// installed itself.

typealias Snapshot = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?) -> Int32

actor Counter {
    private(set) var value = 0
    func add(_ more: Int) -> Int {
        value += more
        return value
    }
}

let isOver = Atomic(false)
let counter = Counter()
let queue = DispatchQueue(label: "serial")
nonisolated(unsafe) var onQueue = 0

/// Its own rounds, and whether each came to what it had to.
func work(_ index: Int) async -> (rounds: Int, isRight: Bool) {
    var rounds = 0
    var isRight = true
    while !isOver.load(ordering: .acquiring) {
        let values = (0..<200).map { $0 &* index &+ rounds }
        let texts = Dictionary(grouping: values.map(String.init), by: \.count)
        isRight = isRight && texts.values.reduce(0) { $0 + $1.count } == 200
        _ = await counter.add(1)
        let summed = await sum(values)
        isRight = isRight && summed == values.reduce(0, &+)
        queue.sync { onQueue += 1 }
        if rounds % 16 == 0 { try? await Task.sleep(nanoseconds: 1_000_000) }
        await Task.yield()
        rounds += 1
    }
    return (rounds, isRight)
}

func sum(_ values: [Int]) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for start in stride(from: 0, to: values.count, by: 50) {
            group.addTask { values[start..<start + 50].reduce(0, &+) }
        }
        return await group.reduce(0, &+)
    }
}

func snapshots(_ count: Int) -> Int {
    guard let symbol = dlsym(nil, "vaka_crash_snapshot") else { return -1 }
    let snapshot = unsafeBitCast(symbol, to: Snapshot.self)
    return (0..<count).count { _ in snapshot("tasks", nil) != 0 }
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
let results = await withTaskGroup(of: (rounds: Int, isRight: Bool).self) { group in
    for index in 0..<50 { group.addTask { await work(index) } }
    // A thread of Dispatch's own takes them, for the tasks need all others.
    let failed = await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: snapshots(count)) }
    }
    isOver.store(true, ordering: .releasing)
    print("\(failed) failed")
    var all: [(rounds: Int, isRight: Bool)] = []
    for await result in group { all.append(result) }
    return all
}
let rounds = results.reduce(0) { $0 + $1.rounds }
let counted = await counter.value
let isRight = results.allSatisfy(\.isRight) && counted == rounds && onQueue == rounds && rounds > 0
print(isRight ? "nothing lost" : "something lost: \(rounds) rounds, \(counted) counted, \(onQueue) on the queue")
