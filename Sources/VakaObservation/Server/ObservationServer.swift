// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import VakaModel

/// Serves a program's bridges to programs of the same user: on a socket file, on a port of this machine's loopback, or on
/// both. Requests are small and few; each is bounded in size and time, and so is their number.
///
/// Nothing is served before the host makes one, and nothing after ``stop()`` or once nobody holds it.
public final class ObservationServer: Sendable {
    /// Where it listens.
    public struct Options: Sendable {
        /// A socket file of mode 0600; put it into a folder that only the user may write to, such as `$XDG_RUNTIME_DIR`.
        /// Only the same user and the superuser are answered there, and need no token.
        public var socketPath: String?
        /// A port of 127.0.0.1, 0 for a free one. Needed for the pages of web views.
        public var loopbackPort: UInt16?
        /// What requests to the port have to bear (`Authorization: Bearer …`). One is made up where there is none.
        public var token: String?
        /// The program's name for `/health`; by default its file's.
        public var program: String?

        /// Nothing but what is given.
        public init(
            socketPath: String? = nil, loopbackPort: UInt16? = nil, token: String? = nil, program: String? = nil
        ) {
            self.socketPath = socketPath
            self.loopbackPort = loopbackPort
            self.token = token
            self.program = program
        }
    }

    /// The socket file that it listens on.
    public let socketPath: String?
    /// The address of its port, such as `http://127.0.0.1:41873`.
    public let url: String?
    /// What requests to the port have to bear.
    public let token: String

    private let listening: Listening

    /// Listens from now on.
    ///
    /// - Throws: where it cannot: the place is taken, the folder is missing, the path is too long (107 bytes at most).
    public init(
        _ options: Options, registry: ObservationRegistry = .shared, webViews: WebViewRegistry = .shared
    ) throws(ObservationServerError) {
        let token = options.token ?? RandomToken.make()
        guard !token.isEmpty else { throw ObservationServerError(description: "an empty token keeps nobody out") }
        let program = ObservationHealth.Program(name: options.program ?? Self.programName, pid: getpid())
        let router = Router(registry: registry, webViews: webViews, token: token, program: program)
        let places = try ListeningPlaces(socketPath: options.socketPath, loopbackPort: options.loopbackPort)
        socketPath = options.socketPath
        url = places.port.map { "http://127.0.0.1:\($0)" }
        self.token = token
        listening = Listening(places, router)
        try listening.start()
    }

    deinit { listening.stop() }

    /// Listens no more, removes the socket file, and ends what is connected. What is being done by a bridge goes on.
    public func stop() { listening.stop() }

    private static var programName: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        guard length > 0 else { return "?" }
        let text = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(text.split(separator: "/").last ?? "?")
    }
}
