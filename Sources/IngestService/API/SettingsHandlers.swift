// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Privacy
import VakaModel

/// What a project wants of its programs.
enum SettingsHandlers {
    private struct Document: Encodable {
        var schemaVersion = 1
        /// Names this state of them; the entity tag of the answer.
        var version: String
        var settings: [String: JSONValue]
        /// Media types of batches, besides `application/json`.
        var accepts = [Batch.partsMediaType]

        enum CodingKeys: String, CodingKey {
            case schemaVersion = "schema_version"
            case version, settings, accepts
        }
    }

    private static let mostSettings = 200

    /// Of the settings that the SDK knows; others are for its later versions, and for programs.
    private static let checks: [String: (what: String, isRight: @Sendable (JSONValue) -> Bool)] = [
        "event_logging": ("true or false", isBool),
        "crash_reporting": ("true or false", isBool),
        "session_tracking": ("true or false", isBool),
        "error_sample_rate": ("a number from 0 to 1", isRate),
        "track_sample_rate": ("a number from 0 to 1", isRate),
        "session_sample_rate": ("a number from 0 to 1", isRate),
        "pseudonym_salt": ("a text of 16 to 200 characters", isSalt),
        "network_capture": ("true or false", isBool),
        "network_capture_bodies": ("true or false", isBool),
        "network_performance": ("true or false", isBool),
        "network_hosts_include": (hostsWords, isHosts),
        "network_hosts_exclude": (hostsWords, isHosts),
        "screen_recording": ("true or false", isBool),
        "screen_recording_privacy": ("mask_all, mask_inputs or mask_none", isPrivacy),
        "screen_recording_quality": ("low, medium or high", isQuality),
        "screen_recording_masked_screens": ("a list of at most 1,000 texts", isNames),
    ]
    static let mostHosts = 100
    private static let hostsWords = "a list of at most \(mostHosts) hosts, each of 1 to 253 characters without spaces"
    /// Told to programs where the project's scrub rules leave addresses whole; nobody sets it here.
    private static let wholeAddresses = "network_keep_url_parts"

    /// Those in the API's description.
    static let fields: [RouteField] = [
        RouteField(name: "event_logging", schema: Shape.truth),
        RouteField(name: "crash_reporting", schema: Shape.truth),
        RouteField(name: "session_tracking", schema: Shape.truth), rate("error_sample_rate"), rate("track_sample_rate"),
        rate("session_sample_rate"),
        RouteField(name: "pseudonym_salt", schema: ["type": "string", "minLength": 16, "maxLength": 200]),
        RouteField(name: "network_capture", schema: Shape.truth),
        RouteField(name: "network_capture_bodies", schema: Shape.truth),
        RouteField(name: "network_performance", schema: Shape.truth), hosts("network_hosts_include"),
        hosts("network_hosts_exclude"),
        RouteField(name: "screen_recording", schema: Shape.truth),
        RouteField(name: "screen_recording_privacy", schema: Shape.words("mask_all", "mask_inputs", "mask_none")),
        RouteField(name: "screen_recording_quality", schema: Shape.words("low", "medium", "high")),
        RouteField(
            name: "screen_recording_masked_screens",
            schema: ["type": "array", "maxItems": 1000, "items": ["type": "string", "maxLength": 200]]),
    ]

    private static func rate(_ name: String) -> RouteField {
        RouteField(name: name, schema: ["type": "number", "minimum": 0, "maximum": 1])
    }

    private static func hosts(_ name: String) -> RouteField {
        RouteField(
            name: name,
            schema: [
                "type": "array", "maxItems": .integer(Int64(mostHosts)),
                "items": ["type": "string", "pattern": "^[!-~]{1,253}$"],
            ])
    }

    @Sendable private static func isHosts(_ value: JSONValue) -> Bool {
        guard case .array(let hosts) = value, hosts.count <= mostHosts else { return false }
        return hosts.allSatisfy { host in
            host.string.map { (1...253).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } }
                ?? false
        }
    }

    @Sendable private static func isBool(_ value: JSONValue) -> Bool {
        if case .bool = value { true } else { false }
    }

    @Sendable private static func isRate(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let rate): (0...1).contains(rate)
        case .integer(let rate): (0...1).contains(rate)
        default: false
        }
    }

    @Sendable private static func isSalt(_ value: JSONValue) -> Bool {
        value.string.map { (16...200).contains($0.unicodeScalars.count) } ?? false
    }

    @Sendable private static func isPrivacy(_ value: JSONValue) -> Bool {
        ["mask_all", "mask_inputs", "mask_none"].contains(value.string)
    }

    @Sendable private static func isQuality(_ value: JSONValue) -> Bool {
        ["low", "medium", "high"].contains(value.string)
    }

    @Sendable private static func isNames(_ value: JSONValue) -> Bool {
        guard case .array(let names) = value, names.count <= 1000 else { return false }
        return names.allSatisfy { ($0.string?.unicodeScalars.count ?? .max) <= 200 }
    }

    /// `GET …/sdk-settings`, for a program by its key and for a person by a token.
    static func settings(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        var settings = try stored(service, project)
        if try service.scrubbing.settings(project).off.contains(ScrubRule.addressParts) {
            settings[wholeAddresses] = true
        }
        return try answer(settings, request)
    }

    /// `POST …/sdk-settings`: an object of settings in the place of those before.
    static func replace(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        guard var settings = try? ModelCoding.decode([String: JSONValue].self, from: request.bodyData),
            settings.count <= mostSettings
        else {
            throw APIError(
                400, "invalid_settings", "the body must be a JSON object of at most \(mostSettings) settings")
        }
        settings[wholeAddresses] = nil
        for (name, value) in settings {
            guard let check = checks[name], !check.isRight(value) else { continue }
            throw APIError(400, "invalid_setting", "\"\(name)\" must be \(check.what)")
        }
        let text = String(decoding: try ModelCoding.encode(settings), as: UTF8.self)
        try service.store.set(settings: text, project: try request.requireProject().id)
        return try answer(settings, request)
    }

    static func stored(_ service: Service, _ project: Project) throws -> [String: JSONValue] {
        guard let text = try service.store.settings(project: project.id) else { return [:] }
        return try ModelCoding.decode([String: JSONValue].self, from: Data(text.utf8))
    }

    private static func answer(_ settings: [String: JSONValue], _ request: HTTPRequest) throws -> HTTPResponse {
        let text = String(decoding: try ModelCoding.encode(settings), as: UTF8.self)
        let version = String(Secrets.derived(text, for: "etag").prefix(22))
        let headers = [("ETag", "\"\(version)\""), ("Cache-Control", "private, no-cache")]
        if request.header("if-none-match") == "\"\(version)\"" {
            return HTTPResponse(status: 304, contentType: "application/json", body: Data(), headers: headers)
        }
        let body = try ModelCoding.encode(Document(version: version, settings: settings))
        return HTTPResponse(status: 200, contentType: "application/json", body: body, headers: headers)
    }
}
