// SPDX-License-Identifier: Apache-2.0
import Glibc

/// `vaka serve`: becomes the service's own executable.
enum ServeCommand: Subcommand {
    static let name = "serve"
    static let manual = Manual(
        summary: "run the service",
        usage: "serve --data DIR [--listen HOST:PORT] [OPTION]…",
        explanation: """
            Runs the service on storage of its own in DIR: it takes reports, symbolicates and groups them, and shows
            them on a page. This is vaka-server, which lies beside this program; vaka-server --help lists its options.
            Prints "listening on http://HOST:PORT" when it is ready.
            """,
        options: [
            Manual.Option("data", "DIR", "where everything is kept; made when missing"),
            Manual.Option("listen", "HOST:PORT", "the address; port 0 picks a free one"),
        ],
        examples: ["vaka serve --data /var/lib/vaka --listen 127.0.0.1:8300"])

    static func run(_ options: ParsedOptions) throws {}

    /// Hands every word over as it is: the server parses its own options.
    static func become(_ words: [String]) throws -> Never {
        let server = serverPath()
        let argv: [UnsafeMutablePointer<CChar>?] = ([server] + words).map { strdup($0) } + [nil]
        execvp(server, argv)
        throw CommandError(
            "cannot start \(server): \(String(cString: strerror(errno))). Install vaka-server beside vaka, or on PATH")
    }

    private static func serverPath() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return "vaka-server" }
        let own = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/vaka-server"
        return access(beside, X_OK) == 0 ? beside : "vaka-server"
    }
}
