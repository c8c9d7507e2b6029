// SPDX-License-Identifier: Apache-2.0
import ObservationClient
import VakaModel

/// `vaka observe`: what is on a program's screen.
enum ObserveCommand: Subcommand {
    static let name = "observe"
    static let manual = Manual(
        summary: "show what is on the screen of a program that lets itself be observed",
        usage: "observe [--state | --web [--web-view ID]] [--format text|json] --socket PATH | --url U --token T",
        explanation: """
            Prints the elements of the program's screen as it is now: role, id, bounds, what is written on them and what they
            hold, and the number of this observation, which actions name (vaka act --observation). What the program holds
            secret is not there.

            --state says whether there is a bridge and which actions it takes, or why there is none (NOT_REGISTERED,
            SDK_TOO_OLD, SDK_UNAVAILABLE, MALFORMED_RESPONSE, UNKNOWN); then the status is 1. --web prints the elements of the
            page in a web view.

            \(ObservationOptions.explanation)
            """,
        options: [
            Manual.Option("state", nil, "only whether the program can be observed and driven"),
            Manual.Option("web", nil, "the page in a web view, in the place of the screen"),
            Manual.Option("web-view", "ID", "which one; the first when not given"),
        ] + ObservationOptions.options,
        examples: [
            "vaka observe --socket \"$XDG_RUNTIME_DIR/shop.sock\"",
            "vaka observe --socket \"$XDG_RUNTIME_DIR/shop.sock\" --format json | jq .captureIdentity",
        ])

    private struct State: Encodable {
        var available: Bool
        var schemaVersion: Int?
        var reason: ObservationUnavailability?
        var supportedActions: [String]
        var webViews: [WebViewState]
    }

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.isEmpty else { throw UsageError("observe: what is \"\(options.arguments[0])\"?") }
        guard !options.has("state") || !options.has("web") else {
            throw UsageError("observe: --state or --web, not both")
        }
        let json = try options.wantsJSON()
        let client = try ObservationOptions.client(options)
        if options.has("state") { return try showState(client, json) }
        if options.has("web") || options.has("web-view") {
            let id = options.value("web-view")
            let reply = try ObservationOptions.work { () throws(ObservationRequestError) in try client.webSnapshot(id) }
            if json { return try ObservationOptions.write(reply) }
            return StandardOutput.write(ObservationText.text(reply).printable(keepingLines: true))
        }
        let snapshot = try ObservationOptions.work { () throws(ObservationRequestError) in try client.snapshot() }
        if json { return try ObservationOptions.write(snapshot) }
        StandardOutput.write(ObservationText.text(snapshot).printable(keepingLines: true))
    }

    private static func showState(_ client: ObservationClient, _ json: Bool) throws {
        let bridge = try client.bridgeState()
        var state = State(available: false, supportedActions: [], webViews: try client.webViews())
        switch bridge {
        case .available(let version, let actions):
            state.available = true
            state.schemaVersion = version
            state.supportedActions = actions
        case .unavailable(let reason): state.reason = reason
        }
        if json {
            try ObservationOptions.write(state)
        } else {
            let views = state.webViews.map { "web view \($0.webViewId)  \($0.url ?? "")\n" }.joined()
            let line =
                state.available
                ? "available: \(state.supportedActions.joined(separator: ", "))\n"
                : "unavailable: \(state.reason?.rawValue ?? "")\n"
            StandardOutput.write((line + views).printable(keepingLines: true))
        }
        if !state.available {
            throw PartialFailure(message: "the program has no bridge: \(state.reason?.rawValue ?? "")")
        }
    }
}
