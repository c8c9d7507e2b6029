// SPDX-License-Identifier: Apache-2.0
import ObservationClient
import VakaModel

/// `vaka act`: does something on a program's screen.
enum ActCommand: Subcommand {
    static let name = "act"
    static let manual = Manual(
        summary: "tap, type, scroll or swipe in a program that lets itself be driven",
        usage: "act ACTION [ARGUMENT]… [--observation N] [--format text|json] --socket PATH | --url U --token T",
        explanation: """
            Has the program do one thing on its screen:

              tap ID                     a tap on an element
              long-press ID              a long one (--duration)
              insert-text ID TEXT        types at the caret
              clear-text ID              empties a field
              scroll ID DX DY            scrolls by points: a positive DY goes further down
              swipe X1 Y1 X2 Y2          a stroke over the screen (--duration)

            Elements are named as vaka observe prints them. --observation names the one that the action goes by; if the screen
            was captured anew since, the program answers stale_observation and does nothing. Without it the screen is
            observed first. In a page (--web-view) the actions are click, focus, insert-text, select, scroll, set-value, clear,
            scroll-into-view and submit, and --observation names the page's snapshot. --json takes the action as the
            document that it travels as, with everything in it.

            Prints the number of the observation that the program took after the action. The status is 1 where it was not
            done, with the reason: unsupported_action, stale_observation, unknown_element, element_not_actionable,
            action_in_flight, action_queue_overloaded, action_cancelled; or bridge_unavailable, app_not_active,
            invalid_action, bad_reply (the action may have been done).

            \(ObservationOptions.explanation)
            """,
        options: [
            Manual.Option("observation", "N", "the observation, or the page's snapshot, that the action goes by"),
            Manual.Option("duration", "MS", "milliseconds of a long press (1000 when not given) or a stroke (300)"),
            Manual.Option("stdin", nil, "take TEXT from standard input, where other programs do not see it"),
            Manual.Option("web-view", "ID", "act on the page in this web view"),
            Manual.Option("json", "ACTION", "the action as a JSON document, in the place of words"),
        ] + ObservationOptions.options,
        examples: [
            "vaka act tap buy --socket \"$XDG_RUNTIME_DIR/shop.sock\"",
            "vaka act insert-text search 'red shoes' --observation 41 --socket \"$XDG_RUNTIME_DIR/shop.sock\"",
            "pass show shop | vaka act insert-text password --stdin",
        ])

    /// What is printed of a page's action, and of one of the screen.
    private struct Outcome {
        var success: Bool
        var reason: String?
        var next: CaptureIdentity?
    }

    static func run(_ options: ParsedOptions) throws {
        let json = try options.wantsJSON()
        let client = try ObservationOptions.client(options)
        let outcome =
            options.has("web-view") ? try actOnPage(client, options, json) : try actOnScreen(client, options, json)
        guard outcome.success else { throw PartialFailure(message: "it was not done: \(outcome.reason ?? "?")") }
        if !json { StandardOutput.write(outcome.next.map { "done, observation \($0)\n" } ?? "done\n") }
    }

    private static func actOnScreen(_ client: ObservationClient, _ options: ParsedOptions, _ json: Bool) throws
        -> Outcome
    {
        let words = try words(options)
        let named = try options.value("observation").map { text in
            guard let identity = CaptureIdentity(text) else {
                throw UsageError("act: --observation takes a number, not \"\(text)\"")
            }
            return identity
        }
        let document = options.value("json")
        if document != nil, !options.arguments.isEmpty { throw UsageError("act: words or --json, not both") }
        // Wrong words are told before anybody is asked.
        if document == nil { _ = try words.action(named ?? CaptureIdentity(rawValue: 0), try duration(options)) }
        let result: ObservationActionResult
        if let document {
            result = try ObservationOptions.work { () throws(ObservationRequestError) in
                try client.perform(actionJSON: document, within: ObservationClient.totalBudget)
            }
        } else {
            let identity =
                try named
                ?? ObservationOptions.work { () throws(ObservationRequestError) in try client.snapshot() }
                .captureIdentity
            let action = try words.action(identity, try duration(options))
            result = try ObservationOptions.work { () throws(ObservationRequestError) in
                try client.perform(action, within: ScreenDriver.budget(of: action))
            }
        }
        if json { try ObservationOptions.write(result) }
        return Outcome(
            success: result.success, reason: result.reason?.rawValue, next: result.nextObservationIdentity)
    }

    private static func actOnPage(_ client: ObservationClient, _ options: ParsedOptions, _ json: Bool) throws -> Outcome
    {
        let view = options.value("web-view") ?? ""
        let words = try words(options)
        let document = options.value("json")
        if document != nil, !options.arguments.isEmpty { throw UsageError("act: words or --json, not both") }
        if document == nil { _ = try words.webAction("") }
        let result: WebActionResult
        if let document {
            result = try ObservationOptions.work { () throws(ObservationRequestError) in
                try client.perform(webActionJSON: document, in: view)
            }
        } else {
            let snapshot =
                try options.value("observation")
                ?? ObservationOptions.work { () throws(ObservationRequestError) in try client.webSnapshot(view) }
                .snapshot.snapshotId
            let action = try words.webAction(snapshot)
            result = try ObservationOptions.work { () throws(ObservationRequestError) in
                try client.perform(action, in: view)
            }
        }
        if json { try ObservationOptions.write(result) }
        return Outcome(success: result.success, reason: result.reason?.rawValue, next: nil)
    }

    /// With the text that comes on standard input, its last line feed aside.
    private static func words(_ options: ParsedOptions) throws -> ActionWords {
        guard options.has("stdin") else { return ActionWords(options.arguments) }
        guard options.value("json") == nil else { throw UsageError("act: --stdin or --json, not both") }
        var lines = InputLines()
        var text: [String] = []
        var count = 0
        while count <= ObservationAction.longestText, let line = lines.next() {
            text.append(String(decoding: line, as: UTF8.self))
            count += line.count + 1
        }
        return ActionWords(options.arguments + [text.joined(separator: "\n")])
    }

    private static func duration(_ options: ParsedOptions) throws -> Int? {
        guard let text = options.value("duration") else { return nil }
        guard let duration = Int(text), (0...ObservationAction.longestDurationMs).contains(duration) else {
            throw UsageError(
                "act: --duration takes milliseconds, at most \(ObservationAction.longestDurationMs), not \"\(text)\"")
        }
        return duration
    }
}
