// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import ServiceClient
import VakaModel

/// `vaka alerts`: whom a project tells of new issues and the like.
enum AlertsCommand: Subcommand {
    static let name = "alerts"
    static let manual = Manual(
        summary: "say whom a project tells of new issues, and try it",
        usage:
            "alerts [--add CHANNEL=ADDRESS [--kinds K,…] | --remove ID | --test ID | --log] --url U --token T [--project P]",
        explanation: """
            Lists whom the project tells, or changes that. A CHANNEL is

              webhook   a signed JSON document to an address; the secret is printed once, when the target is added
              slack     a text to an incoming webhook of Slack, or of what speaks like it
              email     a mail, where the server was started with --smtp

            What there is to tell: new_issue, regression (a resolved issue came back), spike (an issue has ten times the usual
            events of an hour, and 20 at least), crash_free_drop (of a release's sessions of today, 100 at least, the share
            without a crash is a percent below that of the week before).

            --test sends a test and says what became of it, with exit status 1 where it did not arrive. --log prints the last
            alerts and what became of each.
            """,
        options: [
            Manual.Option("add", "CHANNEL=ADDRESS", "tell this one, too"),
            Manual.Option("kinds", "K,…", "of what; of everything when not given"),
            Manual.Option("remove", "ID", "tell this one no longer"),
            Manual.Option("test", "ID", "send a test"),
            Manual.Option("log", nil, "the last alerts, newest first"),
            Manual.Option("format", "text|json", "how to print; text when not given"),
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("token", "T", "a token, va_… (or VAKA_TOKEN)"),
            Manual.Option("project", "P", "the project; \"default\" when not given"),
        ],
        examples: [
            "vaka alerts --add webhook=https://ci.example.com/vaka --kinds new_issue,regression",
            "vaka alerts --test 1",
        ])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.isEmpty else { throw UsageError("alerts: what is \"\(options.arguments[0])\"?") }
        guard ["add", "remove", "test", "log"].filter(options.has).count < 2 else {
            throw UsageError("alerts: one of --add, --remove, --test and --log at a time")
        }
        let json = try options.wantsJSON()
        let client = AlertClient(
            endpoint: try UploadCommand.endpoint(options), token: try options.required("token", variable: "VAKA_TOKEN"),
            project: options.value("project") ?? "default", retry: PatientRetry.policy)
        if let target = options.value("add") {
            try add(target, options.value("kinds"), client, json)
        } else if let id = options.value("remove") {
            try show([try client.remove(checked(id))], json, AlertLines.target)
        } else if let id = options.value("test") {
            try test(checked(id), client, json)
        } else if options.has("log") {
            try show(try client.alerts(), json, AlertLines.alert)
        } else {
            try show(try client.targets(), json, AlertLines.target)
        }
    }

    private static func add(_ text: String, _ kinds: String?, _ client: AlertClient, _ json: Bool) throws {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw UsageError("alerts: --add takes CHANNEL=ADDRESS, not \"\(text)\"")
        }
        let target = try client.add(
            channel: String(text[..<sign]), address: String(text[text.index(after: sign)...]),
            kinds: kinds?.split(separator: ",").map(String.init))
        try show([target], json, AlertLines.target)
        if !json, let secret = target["secret"]?.string {
            StandardOutput.write(
                "secret  \(secret)  (shown once; docs/alerts.md says how to check a signature with it)\n")
        }
    }

    private static func test(_ id: String, _ client: AlertClient, _ json: Bool) throws {
        let alert = try client.test(id)
        try show([alert], json, AlertLines.alert)
        guard alert["state"]?.string == "delivered" else {
            throw PartialFailure(message: "the test did not arrive: \(alert["last_error"]?.string ?? "no answer yet")")
        }
    }

    private static func checked(_ id: String) throws -> String {
        guard let number = Int64(id), number > 0 else { throw UsageError("alerts: \"\(id)\" is no target's number") }
        return "\(number)"
    }

    private static func show(_ items: [JSONValue], _ json: Bool, _ line: (JSONValue) -> String) throws {
        guard !json else {
            return StandardOutput.write(
                String(decoding: try ModelCoding.encode(items, pretty: true), as: UTF8.self) + "\n")
        }
        for item in items { StandardOutput.write(line(item).printable() + "\n") }
    }
}

/// A line for each.
private enum AlertLines {
    static func target(_ target: JSONValue) -> String {
        "\(text(target["id"]))  \(text(target["channel"]))  \(text(target["address"]))  (\(text(target["kinds"])))"
    }

    static func alert(_ alert: JSONValue) -> String {
        let error = alert["last_error"]?.string.map { ": \($0)" } ?? ""
        return "\(text(alert["created_at"]))  \(text(alert["kind"]))  to \(text(alert["target_id"]))  "
            + "\(text(alert["state"])) after \(text(alert["attempts"])) attempts\(error)  \(text(alert["title"]))"
    }

    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text)?: text
        case .integer(let number)?: "\(number)"
        case .array(let items)?: items.map { text($0) }.joined(separator: ", ")
        default: "-"
        }
    }
}
