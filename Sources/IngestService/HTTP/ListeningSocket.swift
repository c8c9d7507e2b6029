// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The socket that the service accepts on.
struct ListeningSocket {
    let descriptor: Int32
    /// As it was asked for, with the port it got.
    let host: String
    let port: UInt16

    /// For an address in a URL.
    var hostInURL: String { host.contains(":") ? "[\(host)]" : host }
    func url(tls: Bool) -> String { "\(tls ? "https" : "http")://\(hostInURL):\(port)" }

    /// Binds `HOST:PORT`, `:PORT` (loopback) or `[IPv6]:PORT`; port 0 picks one.
    init(_ address: String) throws(ServiceError) {
        let (host, port) = try Self.split(address)
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &found)
        guard result == 0, let first = found else {
            throw ServiceError("cannot listen on \(address): \(String(cString: gai_strerror(result)))")
        }
        defer { freeaddrinfo(found) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(first.pointee.ai_family, type, 0)
        guard descriptor >= 0 else { throw ServiceError.system("cannot make a socket for \(address)") }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(descriptor, 512) == 0
        else {
            let error = ServiceError.system("cannot listen on \(address); choose another with --listen HOST:PORT")
            close(descriptor)
            throw error
        }
        self.init(descriptor: descriptor, host: host, port: Self.boundAddress(descriptor)?.port ?? 0)
    }

    init(descriptor: Int32, host: String, port: UInt16) {
        self.descriptor = descriptor
        self.host = host
        self.port = port
    }

    static func split(_ address: String) throws(ServiceError) -> (String, UInt16) {
        let wrong = ServiceError("--listen takes HOST:PORT, such as 127.0.0.1:8300, not \"\(address)\"")
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]) else {
            throw wrong
        }
        var host = String(address[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return (host.isEmpty ? "127.0.0.1" : host, port)
    }

    /// Nil for other than IPv4 and IPv6.
    static func boundAddress(_ descriptor: Int32) -> (host: String, port: UInt16)? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let found = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size) == 0
                    && [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                    && getnameinfo(
                        address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                        NI_NUMERICHOST | NI_NUMERICSERV) == 0
            }
        }
        guard found, let number = UInt16(text(port)) else { return nil }
        return (text(host), number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
