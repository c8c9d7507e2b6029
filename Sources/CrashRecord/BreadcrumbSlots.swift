// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import FoundationEssentials
import VakaModel

/// The breadcrumb ring, read slot by slot; one that was being written at the end is left out and counted.
struct BreadcrumbSlots {
    private(set) var breadcrumbs: [Breadcrumb] = []
    private(set) var torn = 0

    init(_ bytes: ArraySlice<UInt8>) {
        var found: [(sequence: UInt64, breadcrumb: Breadcrumb)] = []
        var reader = ByteReader(bytes)
        while let slot = reader.next(count: Int(VAKA_BREADCRUMB_SLOT_BYTES)) {
            guard let head = Self.head(slot), head.sequence != 0 else {
                if slot.contains(where: { $0 != 0 }) { torn += 1 }
                continue
            }
            guard let breadcrumb = Self.breadcrumb(head, slot) else {
                torn += 1
                continue
            }
            found.append((head.sequence, breadcrumb))
        }
        breadcrumbs = found.sorted { $0.sequence < $1.sequence }.map(\.breadcrumb)
    }

    private static func head(_ slot: ArraySlice<UInt8>) -> vaka_breadcrumb? {
        var reader = ByteReader(slot)
        return reader.next(vaka_breadcrumb.self)
    }

    private static func breadcrumb(_ head: vaka_breadcrumb, _ slot: ArraySlice<UInt8>) -> Breadcrumb? {
        var reader = ByteReader(slot.dropFirst(MemoryLayout<vaka_breadcrumb>.size))
        let whole = reader.rest
        guard let category = reader.next(count: Int(head.category_bytes)),
            let message = reader.next(count: Int(head.message_bytes)),
            let data = reader.next(count: Int(head.data_bytes)),
            checksum(head, whole.prefix(category.count + message.count + data.count)) == head.crc
        else { return nil }
        var breadcrumb = Breadcrumb(
            timestamp: Timestamp(nanoseconds: head.timestamp_ns), level: level(head.level),
            category: category.isEmpty ? nil : text(category), message: message.isEmpty ? nil : text(message))
        if !data.isEmpty, let object = try? ModelCoding.decode([String: JSONValue].self, from: Data(data)) {
            breadcrumb.data = object
        }
        if head.flags & UInt32(VAKA_BREADCRUMB_CUT) != 0 { breadcrumb.data["vaka.cut"] = true }
        return breadcrumb
    }

    private static func checksum(_ head: vaka_breadcrumb, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        var head = head
        head.crc = 0
        let start = withUnsafeBytes(of: head) { vaka_crc32(0, $0.baseAddress, $0.count) }
        return bytes.withUnsafeBytes { vaka_crc32(start, $0.baseAddress, $0.count) }
    }

    private static func level(_ number: UInt16) -> Level {
        let levels: [Level] = [.debug, .info, .warning, .error, .fatal]
        return number >= 1 && number <= levels.count ? levels[Int(number) - 1] : .info
    }
}
