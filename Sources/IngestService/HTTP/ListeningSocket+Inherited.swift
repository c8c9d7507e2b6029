// SPDX-License-Identifier: Apache-2.0
import Glibc

extension ListeningSocket {
    /// The socket that a service manager listens on and hands over (`LISTEN_FDS`), nil where there is none. It stays open
    /// while no server runs: who connects meanwhile waits, and is not refused.
    ///
    /// To be called once, before another thread or process is made: the variables are taken away, and children do not
    /// inherit the socket.
    static func inherited() throws(ServiceError) -> ListeningSocket? {
        guard let count = variable("LISTEN_FDS").flatMap({ Int($0) }), count > 0,
            variable("LISTEN_PID") == "\(getpid())"
        else { return nil }
        for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { unsetenv(name) }
        guard count == 1 else {
            throw ServiceError(
                "\(count) sockets were handed over (LISTEN_FDS), but the server listens on one: leave one ListenStream= in "
                    + "the socket unit")
        }
        return try ListeningSocket(inherited: firstInherited)
    }

    private static let firstInherited: Int32 = 3

    private init(inherited descriptor: Int32) throws(ServiceError) {
        guard Self.option(SO_ACCEPTCONN, descriptor) == 1,
            Self.option(SO_TYPE, descriptor) == Int32(SOCK_STREAM.rawValue),
            let address = Self.boundAddress(descriptor)
        else {
            throw ServiceError(
                "what was handed over (LISTEN_FDS) is no TCP socket that listens: ListenStream= takes a port or HOST:PORT, "
                    + "and Accept= stays no")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.init(descriptor: descriptor, host: address.host, port: address.port)
    }

    private static func option(_ name: Int32, _ descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
