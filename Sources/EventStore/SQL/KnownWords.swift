// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The words that an issue is known by, as far as they are remembered: those of its first events, which most of the later
/// ones say again.
struct KnownWords {
    /// Of one issue. A word beyond them is indexed as often as a new text says it.
    private static let most = 512

    private var hashes: Set<Int64>
    private var isChanged = false

    init(_ connection: SQLConnection, issue: Int64) throws(StoreError) {
        let stored = try connection.first(
            "SELECT hashes FROM issue_known_words WHERE issue_id = ?", [.integer(issue)]
        ) { $0.bytes(0) }
        hashes = Set(stored.map(Self.read) ?? [])
    }

    /// The words of the text that are not known, which they are from now on.
    mutating func takeNew(_ text: SearchText) -> [Substring] {
        var taken: Set<Int64> = []
        return Self.words(text.text).filter { word in
            let hash = SearchText(text.field, word.lowercased()).hash
            guard !hashes.contains(hash), taken.insert(hash).inserted else { return false }
            guard hashes.count < Self.most else { return true }
            hashes.insert(hash)
            isChanged = true
            return true
        }
    }

    func save(_ connection: SQLConnection, issue: Int64) throws(StoreError) {
        guard isChanged else { return }
        try connection.post(
            """
            INSERT INTO issue_known_words (issue_id, hashes) VALUES (?, ?)
            ON CONFLICT (issue_id) DO UPDATE SET hashes = excluded.hashes
            """,
            [.integer(issue), .blob(Self.written(hashes))])
    }

    /// Cut where every tokenizer cuts: at what is ASCII and neither letter nor digit. A piece may hold several words.
    private static func words(_ text: String) -> [Substring] {
        text.unicodeScalars.split { $0.isASCII && !isWord($0) }.map { Substring($0) }
    }

    /// Whether it is one word for every tokenizer.
    static func isOne(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.isASCII && isWord($0) }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    private static func read(_ bytes: [UInt8]) -> [Int64] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
            }
        }
    }

    private static func written(_ hashes: Set<Int64>) -> Data {
        var data = Data(capacity: hashes.count * 8)
        for hash in hashes.sorted() { withUnsafeBytes(of: hash.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }
}
