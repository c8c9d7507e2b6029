// SPDX-License-Identifier: Apache-2.0
import Symbolication
import VakaModel

/// How often each kind of difference was seen.
struct DifferenceTally {
    private struct Example: Encodable {
        var address: HexAddress
        var ours: [String]
        var other: [String]
    }

    private struct Kind: Encodable {
        var kind: String
        var count: Int
        var explained: Bool
        var explanation: String
        var examples: [Example]
    }

    private struct Document: Encodable {
        var peer: String
        var addresses: Int
        var agreement: Double
        var kinds: [Kind]
    }

    private let peer: String
    private var counts: [AnswerDifference: Int] = [:]
    private var examples: [AnswerDifference: [Example]] = [:]

    private static let mostExamples = 8

    init(peer: String) {
        self.peer = peer
    }

    mutating func add(_ difference: AnswerDifference, address: UInt64, ours: [AnswerLevel], other: [AnswerLevel]) {
        counts[difference, default: 0] += 1
        guard difference != .none, examples[difference, default: []].count < Self.mostExamples else { return }
        examples[difference, default: []].append(
            Example(
                address: HexAddress(address), ours: ours.map(\.description), other: other.map(\.description)))
    }

    private var total: Int { counts.values.reduce(0, +) }

    /// The share of addresses where both say the same, or ours is right for a known reason.
    var agreement: Double {
        let explained = counts.filter { $0.key.isExplained }.values.reduce(0, +)
        return total == 0 ? 0 : Double(explained) / Double(total)
    }

    private var kinds: [Kind] {
        AnswerDifference.allCases.compactMap { difference in
            counts[difference].map { count in
                Kind(
                    kind: difference.rawValue, count: count, explained: difference.isExplained,
                    explanation: difference.explanation, examples: examples[difference] ?? [])
            }
        }
    }

    var json: String {
        get throws {
            let document = Document(peer: peer, addresses: total, agreement: agreement, kinds: kinds)
            return String(decoding: try ModelCoding.encode(document), as: UTF8.self)
        }
    }

    func text(examples shown: Int) -> String {
        var lines = ["\(peer): \(total) addresses, agreement \(Self.percent(agreement)) %"]
        for kind in kinds {
            let name = kind.kind + String(repeating: " ", count: max(0, 20 - kind.kind.count))
            let number = String(repeating: " ", count: max(0, 8 - "\(kind.count)".count)) + "\(kind.count)"
            lines.append("  \(name)\(number)  \(kind.explanation)")
            for example in kind.explained ? [] : kind.examples.prefix(shown) {
                lines.append("      \(example.address)")
                lines.append("        ours   \(example.ours.joined(separator: ", "))")
                lines.append("        other  \(example.other.joined(separator: ", "))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Rounded down: 100 means all.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int(share * 10_000)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
