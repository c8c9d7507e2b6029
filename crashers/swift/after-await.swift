// SPDX-License-Identifier: Apache-2.0
// Fetches stock levels, and crashes once it was suspended and resumed.

struct StockLevel {
    var article: Int
    var count: Int?
}

@inline(never)
func fetchLevel(_ article: Int) async -> StockLevel {
    try? await Task.sleep(nanoseconds: 2_000_000)
    return StockLevel(article: article, count: article > 2 ? nil : article * 10)
}

@inline(never)
func requiredCount(_ article: Int) async -> Int {
    let level = await fetchLevel(article)
    await Task.yield()
    return unwrapCount(level)
}

@inline(never)
func unwrapCount(_ level: StockLevel) -> Int {
    let count = level.count!
    return count + 1
}

@inline(never)
func totalStock(_ articles: [Int]) async -> Int {
    var total = 0
    for article in articles {
        total += await requiredCount(article)
    }
    return total
}

@main
struct Inventory {
    static func main() async {
        let total = await totalStock([1, 2, 3])
        print("total stock: \(total)")
    }
}
