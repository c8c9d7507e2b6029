// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import JSONScan
import VakaModel

/// Parts of a batch, which an event's captured memory names by number.
struct MemoryParts {
    /// Of all parts of an event, decompressed. What more is claimed is not made.
    private static let mostBytes = 64 << 20
    private static let region: [String: ScanTree.Value] = ["part": .value]
    private static let tree = ScanTree(
        .object([
            "threads": .array(["stack": .object(region)], most: 16_384), "memory": .array(region, most: 16_384),
        ]))

    private let parts: [Data]

    init(_ parts: [Data]) {
        self.parts = parts
    }

    /// The event with the bytes, in base64, behind the numbers. What cannot be decompressed stays away: its region then has
    /// no data, and is told of as such.
    func filled(into event: Data) -> Data {
        guard let scan = try? JSONScan([UInt8](event), deepest: 64, tree: Self.tree) else { return event }
        var places: [(end: Int, part: Int)] = []
        func note(_ region: JSONFinding?) {
            guard let place = region?["part"],
                let part = Int(String(decoding: place.slice, as: UTF8.self)), parts.indices.contains(part)
            else { return }
            places.append((place.range.upperBound, part))
        }
        for thread in scan.document["threads"]?.elements ?? [] { note(thread["stack"]) }
        for region in scan.document["memory"]?.elements ?? [] { note(region) }
        guard !places.isEmpty else { return event }

        var bytes = Self.mostBytes
        var filled = Data(capacity: event.count + 2 * parts.reduce(0) { $0 + $1.count })
        var from = 0
        for place in places.sorted(by: { $0.end < $1.end }) {
            guard let data = Self.decompressed(parts[place.part], &bytes) else { continue }
            filled.append(contentsOf: scan.bytes[from..<place.end])
            filled.append(contentsOf: #","data":""#.utf8)
            filled.append(data.base64EncodedData())
            filled.append(UInt8(ascii: "\""))
            from = place.end
        }
        filled.append(contentsOf: scan.bytes[from...])
        return filled
    }

    /// What it claims to be counts, so that many false claims cost no more than one.
    private static func decompressed(_ part: Data, _ bytes: inout Int) -> Data? {
        let part = [UInt8](part)
        return part.withUnsafeBytes { input in
            switch Decompressor.Format(of: part[...]) {
            case .gzip:
                guard let size = Gzip.claimedSize(input) else { return nil }
                let limit = bytes
                bytes = max(0, bytes - size)
                return Gzip.inflated(input, limit: limit).map { Data($0) }
            case .zstd:
                guard let size = Zstandard.claimedSize(input) else { return nil }
                let limit = bytes
                bytes = max(0, bytes - size)
                return try? Zstandard.decompress(Data(part), limit: limit)
            case nil:
                return nil
            }
        }
    }
}
