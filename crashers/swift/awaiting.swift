// SPDX-License-Identifier: Apache-2.0
// An order that is served by an actor, by the children of a group, from a stream, or with a damaged context.

@_silgen_name("corrupt_context")
func corruptContext()

@inline(never)
func required(_ level: Int?) -> Int {
    let sure = level!
    return sure + 1
}

actor Stock {
    private var levels: [Int: Int] = [1: 10, 2: 20]

    @inline(never)
    func take(_ article: Int) async -> Int {
        await Task.yield()
        let taken = required(levels[article])
        levels[article] = taken - 1
        return taken
    }
}

@inline(never)
func orderFromStock(_ articles: [Int]) async -> Int {
    let stock = Stock()
    var ordered = 0
    for article in articles {
        ordered += await stock.take(article)
    }
    return ordered
}

@inline(never)
func price(of article: Int) async -> Int {
    await Task.yield()
    let price = required(article > 2 ? nil : article * 5)
    return price + 1
}

@inline(never)
func priceAll(_ articles: [Int]) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for article in articles {
            group.addTask {
                let result = await price(of: article)
                return result * 2
            }
        }
        return await group.reduce(0, +)
    }
}

@inline(never)
func readOrders(_ orders: AsyncStream<Int>) async -> Int {
    var read = 0
    for await order in orders {
        read += required(order > 2 ? nil : order)
    }
    return read
}

@inline(never)
func streamOrders() async -> Int {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let producer = Task {
        for order in 1...3 {
            await Task.yield()
            continuation.yield(order)
        }
        continuation.finish()
    }
    let read = await readOrders(stream)
    await producer.value
    return read
}

/// Needs a little of the stack at each level.
@inline(never)
func dive(_ depth: Int, _ article: Int) -> Int {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 24) { space in
        space.initialize(repeating: depth)
        let rest = depth == 0 ? required(article > 2 ? nil : article) : dive(depth - 1, article)
        return rest + space[depth % 24]
    }
}

@inline(never)
func search(_ article: Int) async -> Int {
    await Task.yield()
    let found = dive(40, article)
    return found + 1
}

@inline(never)
func orderFound(_ article: Int) async -> Int {
    let ordered = await search(article)
    return ordered * 3
}

@inline(never)
func damage(_ article: Int) async -> Int {
    await Task.yield()
    corruptContext()
    let damaged = required(article > 2 ? nil : article)
    return damaged + 1
}

@inline(never)
func orderDamaged(_ article: Int) async -> Int {
    let ordered = await damage(article)
    return ordered * 2
}

@main
struct Orders {
    static func main() async {
        let result: Int
        switch CommandLine.arguments.dropFirst().first {
        case "group": result = await priceAll([1, 2, 3])
        case "stream": result = await streamOrders()
        case "deep": result = await orderFound(3)
        case "damaged": result = await orderDamaged(3)
        default: result = await orderFromStock([1, 2, 3])
        }
        print("result: \(result)")
    }
}
