// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import ObservationClient
import VakaModel

/// Where the program is that `observe` and `act` speak with.
enum ObservationOptions {
    static let options = [
        Manual.Option("socket", "PATH", "the program's socket (or VAKA_OBSERVATION_SOCKET)"),
        Manual.Option("url", "U", "its loopback address, http://127.0.0.1:PORT (or VAKA_OBSERVATION_URL)"),
        Manual.Option("token", "T", "the token for that address (or VAKA_OBSERVATION_TOKEN)"),
        Manual.Option("program", "NAME", "fail where another program answers"),
        Manual.Option("format", "text|json", "how to print; text when not given"),
    ]

    static let explanation = """
        The program is reached on the socket file that it serves (--socket), or on a port of this machine with its token
        (--url, --token). It must be this user's, and must have registered a bridge: docs/observation.md tells how.
        """

    static func client(_ options: ParsedOptions) throws -> ObservationClient {
        ObservationClient(try endpoint(options), program: options.value("program"))
    }

    private static func endpoint(_ options: ParsedOptions) throws -> ObservationEndpoint {
        guard options.value("socket") == nil || options.value("url") == nil else {
            throw UsageError("--socket and --url are two ways to one program: choose one")
        }
        if let path = options.value("socket") { return .socket(path: path) }
        if options.value("url") == nil, let path = variable("VAKA_OBSERVATION_SOCKET") { return .socket(path: path) }
        guard let url = options.value("url") ?? variable("VAKA_OBSERVATION_URL") else {
            throw UsageError("--socket PATH is missing (or set VAKA_OBSERVATION_SOCKET; or --url U and --token T)")
        }
        let token = try options.required("token", variable: "VAKA_OBSERVATION_TOKEN")
        guard let endpoint = ObservationEndpoint(url: url, token: token) else {
            throw UsageError("--url takes http://127.0.0.1:PORT, not \"\(url)\"")
        }
        return endpoint
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a request that came to nothing makes of the command.
    static func work<Value>(_ work: () throws(ObservationRequestError) -> Value) throws -> Value {
        do throws(ObservationRequestError) {
            return try work()
        } catch {
            throw CommandError(error.description)
        }
    }

    static func write(_ value: some Encodable) throws {
        StandardOutput.write(String(decoding: try ModelCoding.encode(value, pretty: true), as: UTF8.self) + "\n")
    }
}
