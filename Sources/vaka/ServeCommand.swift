// SPDX-License-Identifier: Apache-2.0

/// `vaka serve`: becomes the service's own executable.
enum ServeCommand: ServerSubcommand {
    static let serverWords: [String] = []
    static let name = "serve"
    static let manual = Manual(
        summary: "run the service",
        usage: "serve --data DIR [--listen HOST:PORT] [OPTION]…",
        explanation: """
            Runs the service on storage of its own in DIR: it takes reports, symbolicates and groups them, and shows
            them on a page. This is vaka-server, which lies beside this program; vaka-server --help lists its options.
            Images may have their home in an S3-compatible store: --blobs s3://BUCKET/PREFIX.
            Prints "listening on http://HOST:PORT" when it is ready.
            """,
        options: [
            Manual.Option("data", "DIR", "where everything is kept; made when missing"),
            Manual.Option("store", "URI", "keep rows in PostgreSQL (postgres://…), which many servers may share"),
            Manual.Option("blobs", "ADDRESS", "keep images in s3://BUCKET/PREFIX, or in a shared folder"),
            Manual.Option("listen", "HOST:PORT", "the address; port 0 picks a free one"),
        ],
        examples: ["vaka serve --data /var/lib/vaka --listen 127.0.0.1:8300"])
}
