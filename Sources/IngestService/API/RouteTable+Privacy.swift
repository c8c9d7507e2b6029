// SPDX-License-Identifier: Apache-2.0
import Privacy
import VakaModel

extension RouteTable {
    private static func names(_ name: String, of words: [String]? = nil) -> RouteField {
        var item: JSONValue = ["type": "string", "minLength": 1, "maxLength": 100]
        if let words { item = ["type": "string", "enum": .array(words.map { .string($0) })] }
        return RouteField(
            name: name,
            schema: ["type": "array", "maxItems": .integer(Int64(ScrubSettings.mostNames)), "items": item])
    }

    private static let rules = RouteField(
        name: "rules",
        schema: [
            "type": "array", "maxItems": .integer(Int64(ScrubSettings.mostRules)),
            "items": Shape.object(["name": Shape.text, "pattern": Shape.text]),
        ])

    /// Secrets in events, and what is kept of one user.
    static let scrubbing: [Route] = [
        Route(
            method: "GET", pattern: project + "/scrubbing", access: .token(.read),
            summary: "What is taken out of the texts of events.", handler: ScrubHandlers.show),
        Route(
            method: "PUT", pattern: project + "/scrubbing", access: .token(.admin), body: .json,
            summary: "Sets it, for what comes from now on.",
            fields: [
                names("off", of: ScrubRule.builtIn.map(\.name)), names("on", of: ScrubRule.onRequest.map(\.name)),
                rules,
                names("names"), names("user_fields"),
            ], handler: ScrubHandlers.set),
        Route(
            method: "POST", pattern: project + "/scrubbing/try", access: .token(.read), body: .json,
            summary: "What the project's rules make of a text; nothing is kept.",
            fields: [.text("text", longest: ScrubHandlers.longestTrial, required: true)],
            handler: ScrubHandlers.attempt),
        Route(
            method: "POST", pattern: project + "/scrubbing/apply", access: .token(.admin),
            summary: "Applies the rules to a part of what is stored already; go on with next_cursor.",
            query: ["cursor"],
            handler: ScrubHandlers.apply),
        Route(
            method: "GET", pattern: project + "/user-data", access: .token(.admin),
            summary: "What is kept of one user of the programs, the newest first.", query: ["user", "cursor", "limit"],
            required: ["user"], handler: UserDataHandlers.export),
        Route(
            method: "DELETE", pattern: project + "/user-data", access: .token(.admin),
            summary: "Removes it. What waits to be worked on is not found yet: ask again.", query: ["user"],
            required: ["user"], handler: UserDataHandlers.remove),
    ]
}
