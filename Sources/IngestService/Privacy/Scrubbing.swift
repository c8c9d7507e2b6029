// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Privacy
import Synchronization
import VakaModel

/// The scrubbers of projects, made ready once.
final class Scrubbing: Sendable {
    private struct Ready: Sendable {
        var text: String
        var scrubber: PayloadScrubber
    }

    private static let usual = PayloadScrubber(.usual)
    private static let most = 1000
    private let store: any EventStore
    private let ready = Mutex<[Int64: Ready]>([:])

    init(store: any EventStore) {
        self.store = store
    }

    /// Throws where the project's rules cannot be read: then nothing is taken, rather than taken with its secrets.
    func scrubber(_ project: Project) throws -> PayloadScrubber {
        guard let text = try store.scrubSettings(project: project.id) else { return Self.usual }
        if let known = ready.withLock({ $0[project.id] }), known.text == text { return known.scrubber }
        let scrubber: PayloadScrubber
        do {
            scrubber = try Self.settings(text).scrubber()
        } catch {
            throw APIError(
                503, "scrub_rules",
                "the project's scrub rules cannot be read, and nothing is taken without them; set them anew with PUT …/scrubbing",
                headers: [("Retry-After", "60")])
        }
        ready.withLock { ready in
            if ready.count >= Self.most { ready = [:] }
            ready[project.id] = Ready(text: text, scrubber: scrubber)
        }
        return scrubber
    }

    func settings(_ project: Project) throws -> ScrubSettings {
        try store.scrubSettings(project: project.id).map(Self.settings)
            ?? ModelCoding.decode(
                ScrubSettings.self, from: Data("{}".utf8))
    }

    private static func settings(_ text: String) throws -> ScrubSettings {
        try ModelCoding.decode(ScrubSettings.self, from: Data(text.utf8))
    }

    static func kind(_ kind: String) -> PayloadScrubber.Kind {
        switch ItemKind(rawValue: kind) {
        case .event: .event
        case .attachment: .attachment
        case .network: .network
        default: .other
        }
    }
}
