// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What `VakaNetwork` needs of the SDK that runs. Thread-safe; does nothing while nothing runs.
package enum NetworkLink {
    /// Nil while nothing is collected.
    package static var settings: NetworkSettings? { Runtime.client?.network.withLock { $0 } }

    /// From now on told of starts and stops; of the start that was, at once.
    package static func observe(_ observer: any NetworkObserver) {
        Runtime.lifecycle.observers.withLock { $0.append(observer) }
        if Runtime.client != nil { observer.started() }
    }

    /// Keeps one record of an exchange for the next batch.
    package static func record(_ record: NetworkRequestEvent) {
        Runtime.client?.record(record)
    }

    /// Counts records that were not made.
    package static func note(lost count: Int64) {
        Runtime.client?.note(.networkOverflow, kind: ItemKind.network.rawValue, count: count)
    }

    /// An exchange has begun: reports take along what is known of it.
    package static func begin(_ record: NetworkRequestEvent) -> ExchangeToken? {
        Runtime.client?.exchanges.begin(record)
    }

    /// Whether the token is of the run that is now; one of another means nothing.
    package static func holds(_ token: ExchangeToken?) -> Bool {
        Runtime.client?.exchanges.holds(token) ?? false
    }

    /// What became of it.
    package static func end(_ token: ExchangeToken?, _ record: NetworkRequestEvent) {
        Runtime.client?.exchanges.end(token, record)
    }

    /// It is not to be told of.
    package static func drop(_ token: ExchangeToken?) {
        Runtime.client?.exchanges.drop(token)
    }

    /// What can be captured now; crashes and sessions take it along. One that comes after one of a higher number is not heeded.
    package static func tell(_ capabilities: [CapabilityDescriptor], number: UInt64) {
        Runtime.client?.tell(capabilities, number: number)
    }
}
