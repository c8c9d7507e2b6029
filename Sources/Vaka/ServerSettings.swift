// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import VakaModel

/// What the project wants of its programs, as the service told last. Unknown settings are kept and passed over; a value of
/// another type than its setting has is none.
struct ServerSettings: Hashable, Sendable {
    private struct Document: Codable {
        var version: String?
        var settings: [String: JSONValue]
    }

    /// Names this state of the settings; the service answers it with "nothing new".
    var version: String?
    private var settings: [String: JSONValue] = [:]

    private static let fileName = "settings.json"

    init() {}

    init?(document: Data) {
        guard let document = try? ModelCoding.decode(Document.self, from: document) else { return nil }
        version = document.version
        settings = document.settings
    }

    /// The last ones that were kept; none where there are none.
    static func kept(in queue: BatchQueue) -> ServerSettings {
        let data = try? DurableFile.read(queue.folderOfSettings + "/" + fileName, limit: 1 << 20)
        return data.flatMap { ServerSettings(document: $0) } ?? ServerSettings()
    }

    func keep(in queue: BatchQueue) throws {
        let document = Document(version: version, settings: settings)
        try DurableFile.write(
            ModelCoding.encode(document), name: Self.fileName, folder: queue.folderOfSettings)
    }

    /// Applied at once.
    var eventLogging: Bool { bool("event_logging") ?? true }

    /// As they are for a start.
    func applied(to options: Vaka.Options) -> Vaka.Options {
        var options = options
        options.crashReporting = options.crashReporting && bool("crash_reporting") ?? true
        options.sessionTracking = options.sessionTracking && bool("session_tracking") ?? true
        options.errorSampleRate = rate("error_sample_rate") ?? options.errorSampleRate
        options.trackSampleRate = rate("track_sample_rate") ?? options.trackSampleRate
        options.sessionSampleRate = rate("session_sample_rate") ?? options.sessionSampleRate
        options.pseudonymSalt = options.pseudonymSalt ?? settings["pseudonym_salt"]?.string
        return options
    }

    /// Applied at once.
    func apply(to network: inout NetworkSettings) {
        network.captures = bool("network_capture") ?? true
        network.measures = bool("network_performance") ?? false
        network.capturesBodies = bool("network_capture_bodies") ?? false
        network.keepsWholeURLs = bool("network_keep_url_parts") ?? false
        network.hosts = hosts("network_hosts_include")
        network.leftOutHosts = hosts("network_hosts_exclude")
    }

    private func hosts(_ name: String) -> [String] {
        words(name).map { $0.lowercased() }
    }

    func bool(_ name: String) -> Bool? {
        if case .bool(let value) = settings[name] { value } else { nil }
    }

    func word(_ name: String) -> String? { settings[name]?.string }

    /// Texts of a list, at most a thousand.
    func words(_ name: String) -> [String] {
        guard case .array(let values) = settings[name] else { return [] }
        return values.prefix(1000).compactMap(\.string)
    }

    private func rate(_ name: String) -> Double? {
        switch settings[name] {
        case .number(let value) where (0...1).contains(value): value
        case .integer(let value) where (0...1).contains(value): Double(value)
        default: nil
        }
    }
}
