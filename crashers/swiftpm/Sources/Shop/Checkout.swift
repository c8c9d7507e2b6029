// SPDX-License-Identifier: Apache-2.0
import Vaka

struct Basket {
    var articles: [Int]
}

/// Takes the money.
actor Checkout {
    private let mode: ShopMode
    private var paid = 0

    init(mode: ShopMode) {
        self.mode = mode
    }

    @inline(never)
    func pay(_ basket: Basket) async -> Int {
        await waitForBank()
        paid += settle(basket)
        return paid
    }

    @inline(never)
    private func waitForBank() async {
        try? await Task.sleep(nanoseconds: 5_000_000)
        Vaka.addBreadcrumb(category: "bank", message: "accepted")
    }

    @inline(never)
    private func settle(_ basket: Basket) -> Int {
        switch mode {
        case .fatal: fatalError("the bank answered twice for \(basket.articles.count) articles")
        case .index: return basket.articles[basket.articles.count + paid]
        case .cast: return receipt(["articles": basket.articles.count, "total": "38.00"])
        case .sell, .unwrap, .send: return basket.articles.reduce(0, +)
        }
    }

    @inline(never)
    private func receipt(_ values: [String: Any]) -> Int {
        let total = values["total"] as! Int
        return total * 100
    }
}
