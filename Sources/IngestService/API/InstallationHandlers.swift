// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// What was sent and did not come, by installation, and what programs say they gave up.
enum InstallationHandlers {
    private struct Range: Encodable {
        var first: Int64
        var last: Int64
    }

    private struct InstallationDocument: Encodable {
        static let mostGaps = 50

        var id: String
        var firstSeen: Timestamp
        var lastSeen: Timestamp
        var batches: Int64
        var duplicates: Int64
        var missing: Int64
        /// The latest, at most `mostGaps`.
        var gaps: [Range]
        @ExplicitNull var latestSequence: Int64?

        init(_ installation: Installation) {
            id = installation.id
            firstSeen = installation.firstSeen
            lastSeen = installation.lastSeen
            batches = installation.batches
            duplicates = installation.duplicates
            missing = installation.gaps.reduce(0) { $0 + Int64(clamping: $1.count) }
            gaps = installation.gaps.suffix(Self.mostGaps).map { Range(first: $0.lowerBound, last: $0.upperBound) }
            latestSequence = installation.received.last?.upperBound
        }

        enum CodingKeys: String, CodingKey {
            case id = "install_id"
            case firstSeen = "first_seen"
            case lastSeen = "last_seen"
            case latestSequence = "latest_sequence"
            case batches, duplicates, missing, gaps
        }
    }

    static func installations(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let page = try service.store.installations(
            project: try request.requireProject().id, after: paging.cursor, limit: paging.limit)
        return try .json(
            ListDocument(name: "installations", items: page.items.map(InstallationDocument.init), next: page.next))
    }

    private struct Losses: Encodable {
        var losses: [String: Int64]
    }

    /// Sums by reason, as programs count them in their client reports; and what the service only counted.
    static func losses(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject().id
        var losses = try service.store.clientReports(project: project)
        let counted = try service.store.countedOnly(project: project)
        if counted > 0 { losses["service.event.counted_only"] = counted }
        return try .json(Losses(losses: losses))
    }
}
