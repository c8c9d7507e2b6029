// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// A socket that others connect to.
enum ListeningSocket {
    /// A socket file that only this user may connect to. One that a dead process left is replaced.
    static func local(_ path: String) throws(ObservationServerError) -> Int32 {
        var descriptor = vaka_listen_local(path)
        if descriptor < 0, errno == EADDRINUSE, removeDead(path) { descriptor = vaka_listen_local(path) }
        guard descriptor >= 0 else { throw problem(path, errno) }
        return descriptor
    }

    /// Port 0 takes a free one.
    static func loopback(_ port: UInt16) throws(ObservationServerError) -> (descriptor: Int32, port: UInt16) {
        var port = port
        let descriptor = vaka_listen_loopback(&port)
        guard descriptor >= 0 else { throw problem("127.0.0.1:\(port)", errno) }
        return (descriptor, port)
    }

    private static func problem(_ place: String, _ error: Int32) -> ObservationServerError {
        ObservationServerError(description: "cannot listen on \(place): \(String(cString: strerror(error)))")
    }

    /// A socket of this user's that nobody listens on any more.
    private static func removeDead(_ path: String) -> Bool {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFSOCK, information.st_uid == geteuid()
        else { return false }
        let probe = vaka_connect_local(path, 200)
        if probe >= 0 {
            close(probe)
            return false
        }
        return errno == ECONNREFUSED && unlink(path) == 0
    }
}
