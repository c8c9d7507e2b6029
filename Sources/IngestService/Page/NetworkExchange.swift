// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A request of the program's and what came of it, as a breadcrumb tells it.
struct NetworkExchange {
    let method: String?
    let url: String
    let status: String?
    let milliseconds: Double?
    let sent: UInt64?
    let received: UInt64?
    let failure: String?
    /// What of the breadcrumb's data is told by it.
    let keys: Set<String>

    /// Nil for breadcrumbs that name no address.
    init?(_ crumb: Breadcrumb) {
        guard let url = crumb.data["url"]?.string else { return nil }
        self.url = url
        var keys: Set<String> = ["url"]
        func find<Value>(_ names: [String], _ read: (JSONValue) -> Value?) -> Value? {
            for name in names {
                guard let value = crumb.data[name].flatMap(read) else { continue }
                keys.insert(name)
                return value
            }
            return nil
        }
        method = find(["method"], \.string)
        status = find(["status", "status_code"], Self.word)
        failure = find(["error", "reason"], \.string)
        milliseconds = find(["duration_ms"], Self.number) ?? find(["duration_s"]) { Self.number($0).map { $0 * 1000 } }
        sent = find(["request_bytes", "bytes_sent"], Self.count)
        received = find(["response_bytes", "bytes_received", "bytes"], Self.count)
        self.keys = keys
    }

    var content: HTML {
        let facts: [HTML?] = [
            status.map { tag("span", [.className(isBad ? "badge missing" : "badge")], .text($0)) },
            failure.map { tag("span", [.className("badge missing")], .text($0)) },
            milliseconds.map { .text(Self.words(milliseconds: $0)) },
            sent.map { .text(Words.size($0) + " sent") }, received.map { .text(Words.size($0) + " received") },
        ]
        return tag(
            "div", [.className("exchange")],
            tag("code", [], .text((method.map { $0 + " " } ?? "") + url)),
            tag("div", [.className("facts")], children: facts.compactMap { $0 }.map { tag("span", [], $0) }))
    }

    private var isBad: Bool { status.flatMap { Int($0) }.map { $0 >= 400 } ?? false }

    private static func words(milliseconds: Double) -> String {
        guard milliseconds.isFinite, milliseconds >= 0, milliseconds < 1e12 else { return "?" }
        guard milliseconds >= 1000 else { return "\(Int(milliseconds)) ms" }
        let tenths = Int(milliseconds / 100)
        return "\(tenths / 10).\(tenths % 10) s"
    }

    private static func word(_ value: JSONValue) -> String? {
        if case .integer(let number) = value { return String(number) }
        return value.string
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    private static func count(_ value: JSONValue) -> UInt64? {
        if case .integer(let number) = value { UInt64(exactly: number) } else { nil }
    }
}
