// SPDX-License-Identifier: Apache-2.0
import Glibc

/// `vaka-server`, which lies beside this program or on PATH.
enum ServerProgram {
    /// Hands every word over as it is: the server parses its own options.
    static func become(_ words: [String]) throws -> Never {
        let server = path()
        let argv: [UnsafeMutablePointer<CChar>?] = ([server] + words).map { strdup($0) } + [nil]
        execvp(server, argv)
        throw CommandError(
            "cannot start \(server): \(String(cString: strerror(errno))). Install vaka-server beside vaka, or on PATH")
    }

    private static func path() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return "vaka-server" }
        let own = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/vaka-server"
        return access(beside, X_OK) == 0 ? beside : "vaka-server"
    }
}
