// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import ServiceClient
import VakaModel

/// `vaka settings`: what a project wants of its programs.
enum SettingsCommand: Subcommand {
    static let name = "settings"
    static let manual = Manual(
        summary: "show or change what a project wants of its programs",
        usage: "settings [--set NAME=VALUE]… [--unset NAME]… --url U --token T [--project P]",
        explanation: """
            Prints the project's settings as JSON, after the changes that are asked for. The SDK fetches them at its start
            and once an hour while it sends, keeps them, and heeds event_logging at once, the others at its next start:

              event_logging         false: errors, messages, screens and what is tracked are refused
              crash_reporting       false: crashes are not caught
              session_tracking      false: no sessions
              error_sample_rate, track_sample_rate, session_sample_rate
                                    the share that is sent, from 0 to 1; in the place of the program's own
              pseudonym_salt        the secret with which e-mail addresses and phone numbers are hashed, where the program
                                    names none; at least 16 bytes
              network_capture, network_performance
                                    false: exchanges are not recorded, requests are not timed
              network_capture_bodies
                                    whether bodies of exchanges are recorded; never in release builds
              network_hosts_include, network_hosts_exclude
                                    lists of hosts: where the first names any, those alone; never those of the second

            A VALUE is JSON, or else a text. Other names are kept for programs that know them.
            """,
        options: [
            Manual.Option("set", "NAME=VALUE", "change a setting; may be repeated"),
            Manual.Option("unset", "NAME", "take a setting away; may be repeated"),
            Manual.Option("url", "U", "the service's address (or VAKA_URL)"),
            Manual.Option("token", "T", "a token, va_… (or VAKA_TOKEN)"),
            Manual.Option("project", "P", "the project; \"default\" when not given"),
        ],
        examples: ["vaka settings --set error_sample_rate=0.1 --url https://vaka.example.com --token \"$VAKA_TOKEN\""])

    static func run(_ options: ParsedOptions) throws {
        guard options.arguments.isEmpty else { throw UsageError("settings: what is \"\(options.arguments[0])\"?") }
        let changes = try options.all("set").map(change)
        let client = SettingsClient(
            endpoint: try UploadCommand.endpoint(options), token: try options.required("token", variable: "VAKA_TOKEN"),
            project: options.value("project") ?? "default", retry: PatientRetry.policy)
        var settings = try client.settings()
        if !changes.isEmpty || options.has("unset") {
            for name in options.all("unset") { settings[name] = nil }
            for (name, value) in changes { settings[name] = value }
            settings = try client.replace(settings)
        }
        StandardOutput.write(String(decoding: try ModelCoding.encode(settings, pretty: true), as: UTF8.self) + "\n")
    }

    private static func change(_ text: String) throws -> (String, JSONValue) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw UsageError("settings: --set takes NAME=VALUE, not \"\(text)\"")
        }
        let value = String(text[text.index(after: sign)...])
        let parsed = try? ModelCoding.decode(JSONValue.self, from: Data(value.utf8))
        return (String(text[..<sign]), parsed ?? .string(value))
    }
}
