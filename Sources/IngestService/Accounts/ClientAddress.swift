// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where a request comes from, as text.
enum ClientAddress {
    /// Of a proxy on this machine, the address that it names last: that which it saw itself.
    static func of(_ peer: String, isLoopback: Bool, forwardedFor: String?) -> String {
        guard isLoopback, let last = forwardedFor?.split(separator: ",").last else { return peer }
        let text = last.filter { $0 != " " }.prefix(64)
        return isAddress(String(text)) ? String(text) : peer
    }

    /// What one client can choose addresses from: of IPv6 the network (/64).
    static func network(_ address: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard address.contains(":"), inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        if isMapped { return bytes[12...].map { String($0) }.joined(separator: ".") }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":")
    }

    static func text(_ address: UnsafePointer<sockaddr>) -> String {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length =
            Int32(address.pointee.sa_family) == AF_INET6
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        guard
            getnameinfo(address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
        else { return "" }
        return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func isAddress(_ text: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }
}
