// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Grouping
import VakaModel

/// The distinct stacks among the latest events of an issue: by the functions of the stack, whatever the build.
struct IssueVariants {
    /// More are not looked at.
    static let most = 200

    struct Variant {
        /// Hash of the stack.
        var id: String
        var functions: [FrameDecision]
        var events: [EventSummary]
    }

    let variants: [Variant]
    let looked: Int

    init(_ service: Service, project: Int64, issue: Int64) throws {
        let events = try service.store.groupings(project: project, issue: issue, limit: Self.most)
        var found: [String: Variant] = [:]
        for event in events {
            guard let record = try? Zstandard.decompress(Data(event.record)),
                let grouping = try? ModelCoding.read(GroupingResult.self, from: record)
            else { continue }
            let id = Self.id(grouping)
            found[id, default: Variant(id: id, functions: grouping.explain, events: [])].events.append(event.summary)
        }
        variants = found.values.sorted { ($0.events.count, $1.id) > ($1.events.count, $0.id) }
        looked = events.count
    }

    func events(of id: String) -> [String] {
        variants.first { $0.id == id }?.events.map(\.eventID) ?? []
    }

    /// Of events without a stack: by their keys.
    private static func id(_ grouping: GroupingResult) -> String {
        let parts =
            grouping.explain.isEmpty
            ? grouping.keys.map(\.value) : grouping.explain.map { "\($0.module ?? "")\t\($0.function)" }
        return Secrets.hash(parts.joined(separator: "\n")).prefix(12).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined()
    }
}
