// SPDX-License-Identifier: Apache-2.0
// A program with the SDK that crashes in the way its argument says, and sends the crash at its next launch:
//
//     VAKA_ENDPOINT=http://127.0.0.1:8080 VAKA_KEY=vk_… VAKA_STORAGE_DIRECTORY=/tmp/shop shop unwrap
//     VAKA_ENDPOINT=http://127.0.0.1:8080 VAKA_KEY=vk_… VAKA_STORAGE_DIRECTORY=/tmp/shop shop send
import FoundationEssentials
import Vaka

@inline(never)
func startReporting(_ environment: [String: String]) -> Bool {
    guard let key = environment["VAKA_KEY"], let endpoint = environment["VAKA_ENDPOINT"].flatMap(URL.init(string:))
    else { return false }
    var options = Vaka.Options(key: key, endpoint: endpoint, release: "shop@1.4.2", environment: "demo")
    options.storageDirectory = environment["VAKA_STORAGE_DIRECTORY"].map { URL(filePath: $0) }
    Vaka.start(options)
    Vaka.setTag("region", "north")
    Vaka.identify("customer-4711")
    Vaka.addBreadcrumb(category: "ui", message: "opened the basket")
    return true
}

@inline(never)
func openShop(_ mode: ShopMode) async -> Int {
    let basket = Basket(articles: [3, 5, 8])
    Vaka.addBreadcrumb(
        category: "checkout", message: "paying", data: ["articles": .integer(Int64(basket.articles.count))])
    return await Checkout(mode: mode).pay(basket)
}

guard let mode = ShopMode(rawValue: CommandLine.arguments.dropFirst().first ?? "") else {
    print("usage: shop " + ShopMode.allCases.map(\.rawValue).joined(separator: "|"))
    exit(status: 2)
}
guard startReporting(ProcessInfo.processInfo.environment) else {
    print("VAKA_KEY and VAKA_ENDPOINT are not set")
    exit(status: 2)
}
if mode == .send {
    exit(status: Vaka.flush(timeout: .seconds(20)) ? 0 : 1)
}
if mode == .unwrap {
    print("sold for \(chargeCustomer(Basket(articles: [3, 5, 8]), prices: [3: 10, 5: 20]))")
}
print("sold for \(await openShop(mode))")
exit(status: 0)

@inline(never)
func chargeCustomer(_ basket: Basket, prices: [Int: Int]) -> Int {
    let total = totalPrice(basket, prices: prices)
    return total + 1
}

@inline(never)
func totalPrice(_ basket: Basket, prices: [Int: Int]) -> Int {
    var total = 0
    for article in basket.articles {
        total += price(of: article, in: prices)
    }
    return total
}

@inline(never)
func price(of article: Int, in prices: [Int: Int]) -> Int {
    let price = prices[article]!
    return price * 100
}
