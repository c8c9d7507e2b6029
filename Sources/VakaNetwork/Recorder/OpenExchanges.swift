// SPDX-License-Identifier: Apache-2.0
import Vaka

/// The exchanges that last, and the names of the last ones that have ended.
struct OpenExchanges {
    /// Of both; what is more is not recorded.
    static let limit = 1024

    enum Beginning {
        case begun
        /// It lasts already, or has ended.
        case known
        case tooMany
    }

    private var open: [String: Exchange] = [:]
    private var ended: Set<String> = []
    /// The same, oldest first from `next` on, once the limit is reached.
    private var order: [String] = []
    private var next = 0
    /// Connections whose beginning was not seen.
    private var missed: Set<String> = []

    var count: Int { open.count }
    /// Those that last, in the order in which they began.
    var all: [Exchange] { open.values.sorted { $0.time < $1.time } }

    func requestID(of id: String) -> String? { open[id]?.requestID }

    func beginning(of id: String) -> Beginning {
        if open[id] != nil || ended.contains(id) { return .known }
        return open.count < Self.limit ? .begun : .tooMany
    }

    mutating func add(_ exchange: Exchange) -> Beginning {
        let beginning = beginning(of: exchange.id)
        if beginning == .begun {
            open[exchange.id] = exchange
            if missed.remove(exchange.id) != nil { open[exchange.id]?.isPartial = true }
        }
        return beginning
    }

    /// Nil where it does not last.
    mutating func change(_ id: String, _ change: (inout Exchange) -> Void) -> Exchange? {
        guard var exchange = open.removeValue(forKey: id) else { return nil }
        change(&exchange)
        open[id] = exchange
        return exchange
    }

    /// Nil where it has ended already, or never began; then it never will.
    mutating func end(_ id: String) -> Exchange? {
        let exchange = open.removeValue(forKey: id)
        missed.remove(id)
        if ended.insert(id).inserted { remember(id) }
        return exchange
    }

    /// It began while nothing was recorded: an exchange never will be, a connection only in part.
    mutating func miss(_ id: String, isConnection: Bool) {
        guard beginning(of: id) != .known else { return }
        if !isConnection {
            _ = end(id)
        } else if missed.count < Self.limit || missed.contains(id) {
            missed.insert(id)
        } else {
            missed.removeFirst()
            missed.insert(id)
        }
    }

    /// Of all that last; from now on they have none.
    mutating func takeTokens() -> [ExchangeToken] {
        let tokens = open.values.compactMap(\.token)
        for id in open.keys { open[id]?.token = nil }
        return tokens
    }

    /// False where it does not last as it was, or has another token by now.
    mutating func set(_ token: ExchangeToken?, of exchange: Exchange, isToldWhole: Bool) -> Bool {
        guard let now = open[exchange.id], now.requestID == exchange.requestID, now.token == exchange.token else {
            return false
        }
        open[exchange.id]?.token = token
        open[exchange.id]?.isToldWhole = isToldWhole
        return true
    }

    /// That it has ended.
    mutating func forget(_ id: String) {
        missed.remove(id)
        guard ended.remove(id) != nil else { return }
        order = Array(order[next...] + order[..<next])
        next = 0
        // Its next end is remembered by its own time.
        order.removeAll { $0 == id }
    }

    private mutating func remember(_ id: String) {
        if order.count < Self.limit {
            order.append(id)
        } else {
            ended.remove(order[next])
            order[next] = id
            next = (next + 1) % Self.limit
        }
    }
}
