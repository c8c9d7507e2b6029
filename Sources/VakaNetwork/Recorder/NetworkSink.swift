// SPDX-License-Identifier: Apache-2.0
import Vaka
import VakaModel

/// Where records go. Thread-safe; called with no lock held.
protocol NetworkSink: Sendable {
    /// Nil while nothing is collected.
    var settings: NetworkSettings? { get }
    func record(_ record: NetworkRequestEvent)
    func note(lost count: Int64)
    func begin(_ record: NetworkRequestEvent) -> ExchangeToken?
    /// Whether it names an exchange of the run that is now.
    func holds(_ token: ExchangeToken?) -> Bool
    func end(_ token: ExchangeToken?, _ record: NetworkRequestEvent)
    func drop(_ token: ExchangeToken?)
    /// Of two that overtake one another the one of the higher number counts.
    func tell(_ capabilities: [CapabilityDescriptor], number: UInt64)
}

/// The SDK that runs.
struct SDKSink: NetworkSink {
    var settings: NetworkSettings? { NetworkLink.settings }
    func record(_ record: NetworkRequestEvent) { NetworkLink.record(record) }
    func note(lost count: Int64) { NetworkLink.note(lost: count) }
    func begin(_ record: NetworkRequestEvent) -> ExchangeToken? { NetworkLink.begin(record) }
    func holds(_ token: ExchangeToken?) -> Bool { NetworkLink.holds(token) }
    func end(_ token: ExchangeToken?, _ record: NetworkRequestEvent) { NetworkLink.end(token, record) }
    func drop(_ token: ExchangeToken?) { NetworkLink.drop(token) }
    func tell(_ capabilities: [CapabilityDescriptor], number: UInt64) {
        NetworkLink.tell(capabilities, number: number)
    }
}
