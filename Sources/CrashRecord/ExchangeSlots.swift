// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
import VakaModel

/// The exchange slots, oldest first; one that was being written at the end is left out and counted.
struct ExchangeSlots {
    private(set) var exchanges: [NetworkRequestEvent] = []
    private(set) var torn = 0

    init(_ bytes: ArraySlice<UInt8>) {
        var found: [(sequence: UInt64, exchange: NetworkRequestEvent)] = []
        var reader = ByteReader(bytes)
        while let slot = reader.next(count: Int(VAKA_EXCHANGE_SLOT_BYTES)) {
            var inner = ByteReader(slot)
            guard let head = inner.next(vaka_exchange.self), head.bytes != 0 else { continue }
            guard head.sequence != 0, let exchange = Self.exchange(head, inner.rest) else {
                torn += 1
                continue
            }
            found.append((head.sequence, exchange))
        }
        exchanges = found.sorted { $0.sequence < $1.sequence }.map(\.exchange)
    }

    var history: NetworkHistory? { exchanges.isEmpty ? nil : NetworkHistory(exchanges) }

    private static func exchange(_ head: vaka_exchange, _ rest: ArraySlice<UInt8>) -> NetworkRequestEvent? {
        var reader = ByteReader(rest)
        guard let json = reader.next(count: Int(head.bytes)), checksum(head, json) == head.crc else { return nil }
        return try? ModelCoding.decode(NetworkRequestEvent.self, from: Data(json))
    }

    private static func checksum(_ head: vaka_exchange, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        var head = head
        head.crc = 0
        let start = withUnsafeBytes(of: head) { vaka_crc32(0, $0.baseAddress, $0.count) }
        return bytes.withUnsafeBytes { vaka_crc32(start, $0.baseAddress, $0.count) }
    }
}
