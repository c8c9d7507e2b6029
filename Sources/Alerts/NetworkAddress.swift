// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An IPv4 or IPv6 address.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16.
    package let bytes: [UInt8]

    package init?(_ text: String) {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        bytes = withUnsafeBytes(of: &six) { Array($0) }
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var description: String {
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The IPv4 address that an IPv6 address stands for, by any of the ways to write one.
    var embedded: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        let leading = Array(bytes[..<12])
        let zeros = [UInt8](repeating: 0, count: 10)
        if leading == zeros + [0xff, 0xff] || leading == [0, 0x64, 0xff, 0x9b] + zeros[..<8] {
            return NetworkAddress(bytes: Array(bytes[12...]))
        }
        // 6to4
        return bytes[..<2] == [0x20, 0x02] ? NetworkAddress(bytes: Array(bytes[2..<6])) : nil
    }

    /// All addresses of a name, each once, in the system's order.
    static func all(of host: String) -> Result<[NetworkAddress], AlertFailure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &found)
        guard result == 0 else {
            return .failure(AlertFailure("\(host) has no address (\(String(cString: gai_strerror(result))))"))
        }
        defer { freeaddrinfo(found) }
        var addresses: [NetworkAddress] = []
        var next = found
        while let entry = next {
            if let address = NetworkAddress(entry.pointee.ai_addr), !addresses.contains(address) {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    private init?(_ address: UnsafeMutablePointer<sockaddr>?) {
        guard let address else { return nil }
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: bytes = (0..<4).map { raw.loadUnaligned(fromByteOffset: 4 + $0, as: UInt8.self) }
        case AF_INET6: bytes = (0..<16).map { raw.loadUnaligned(fromByteOffset: 8 + $0, as: UInt8.self) }
        default: return nil
        }
    }
}
