// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Privacy
import VakaModel

/// What a project says about secrets in its events.
enum ScrubHandlers {
    static let longestTrial = 10_000

    private struct Document: Encodable {
        var settings: ScrubSettings
        var builtIn: [String]
        var onRequest: [String]

        enum CodingKeys: String, CodingKey {
            case settings
            case builtIn = "built_in"
            case onRequest = "on_request"
        }
    }

    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try answer(service.scrubbing.settings(request.requireProject()))
    }

    /// In the place of what was said before. Holds for what comes from now on.
    static func set(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let names = ScrubSettings.CodingKeys.allCases.map(\.rawValue)
        let fields = try RequestFields(request, allowed: Set(names))
        guard fields.names(of: names).allSatisfy({ !fields.isNull($0) }),
            let settings = try? ModelCoding.decode(ScrubSettings.self, from: request.bodyData)
        else {
            throw APIError(
                400, "invalid_settings",
                "\"off\", \"on\", \"names\" and \"user_fields\" are lists of texts, \"rules\" is one of objects with \"name\" "
                    + "and \"pattern\"")
        }
        try check(settings)
        _ = try settings.scrubber()
        let text = String(decoding: try ModelCoding.encode(settings), as: UTF8.self)
        try service.store.set(scrubSettings: text, project: try request.requireProject().id)
        return try answer(settings)
    }

    /// What the project's rules make of a text.
    static func attempt(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["text"])
        guard let text = try fields.text("text", longest: longestTrial) else {
            throw RequestFields.wrong("text", "is missing")
        }
        let document = try ModelCoding.encode(["text": text])
        let scrubbed = try service.scrubbing.scrubber(request.requireProject()).scrub(document, .other)
        return HTTPResponse(
            status: 200, contentType: "application/json", body: scrubbed, headers: [("Cache-Control", "no-store")])
    }

    struct Progress: Codable {
        var looked: Int
        var changed: Int
        @ExplicitNull var nextCursor: String?

        enum CodingKeys: String, CodingKey {
            case looked = "looked_at"
            case changed
            case nextCursor = "next_cursor"
        }
    }

    /// Applies the rules to a part of what is stored; with the answer's cursor, to the next.
    static func apply(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        let rescrub = Rescrub(
            store: service.store, scrubber: try service.scrubbing.scrubber(project), project: project.id)
        let part = try rescrub.run(after: Paging(request).cursor)
        return try .json(Progress(looked: part.looked, changed: part.changed, nextCursor: part.next?.text))
    }

    private static func check(_ settings: ScrubSettings) throws(APIError) {
        let (builtIn, onRequest) = (ScrubRule.builtIn.map(\.name), ScrubRule.onRequest.map(\.name))
        guard settings.off.allSatisfy(builtIn.contains) else {
            throw RequestFields.wrong("off", "takes \(builtIn.joined(separator: ", "))")
        }
        guard settings.on.allSatisfy(onRequest.contains) else {
            throw RequestFields.wrong("on", "takes \(onRequest.joined(separator: ", "))")
        }
        guard settings.rules.count <= ScrubSettings.mostRules else {
            throw RequestFields.wrong("rules", "holds at most \(ScrubSettings.mostRules)")
        }
        for rule in settings.rules where !isName(rule.name) {
            throw RequestFields.wrong("rules", "have names of 1 to 40 letters, digits, _ and -")
        }
        for (field, texts) in [("names", settings.names), ("user_fields", settings.userFields)] {
            guard texts.count <= ScrubSettings.mostNames,
                texts.allSatisfy({ (1...100).contains($0.unicodeScalars.count) })
            else {
                throw RequestFields.wrong(
                    field, "holds at most \(ScrubSettings.mostNames) names of 1 to 100 characters")
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf) || byte == 0x2d || byte == 0x5f
            }
    }

    private static func answer(_ settings: ScrubSettings) throws -> HTTPResponse {
        try .json(
            Document(
                settings: settings, builtIn: ScrubRule.builtIn.map(\.name), onRequest: ScrubRule.onRequest.map(\.name)))
    }
}
