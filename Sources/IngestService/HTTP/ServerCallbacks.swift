// SPDX-License-Identifier: Apache-2.0
import CMicroHTTPD
import Glibc

/// Called for the headers, each piece of the body, its end, and after a resumption.
func accessHandler(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let url, let method, let uploadSize, let slot else { return .NO }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    if let known = slot.pointee {
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
        let bytes = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : uploadSize.pointee)
        return server.step(connection, exchange, bytes, taken: uploadSize)
    }
    let head = requestHead(connection, String(cString: method), String(cString: url))
    let exchange = server.door.open(head)
    server.requests.begin()
    slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    guard let response = server.answersAtOnce(exchange) else { return .YES }
    exchange.phase = .sent
    exchange.count(response, server.service.metrics)
    return server.send(response, on: connection)
}

/// Called when a request is over, however it ended.
func completionHandler(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let context, let slot, let known = slot.pointee else { return }
    Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue().clean()
    slot.pointee = nil
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().requests.end()
}

private func requestHead(_ connection: OpaquePointer, _ method: String, _ path: String) -> HTTPRequest {
    let headers = values(connection, .HEADER_KIND, lowercase: true)
    // Through a proxy on this machine everyone seems to come from here.
    let isForwarded = headers["x-forwarded-for"] != nil || headers["forwarded"] != nil
    let peer = vaka_mhd_client(connection).map(ClientAddress.text) ?? ""
    let isLocal = isLoopback(connection)
    return HTTPRequest(
        method: method == "HEAD" ? "GET" : method, path: path,
        headers: headers, query: values(connection, .GET_ARGUMENT_KIND, lowercase: false),
        fromLoopback: isLocal && !isForwarded,
        address: ClientAddress.of(peer, isLoopback: isLocal, forwardedFor: headers["x-forwarded-for"]),
        isEncrypted: vaka_mhd_tls_session(connection) != nil || headers["x-forwarded-proto"] == "https")
}

/// The first value of each name.
private func values(_ connection: OpaquePointer, _ kind: MHD_ValueKind, lowercase: Bool) -> [String: String] {
    final class Collector { var values: [String: String] = [:]; var lowercase = false }
    let collector = Collector()
    collector.lowercase = lowercase
    MHD_get_connection_values(
        connection, kind,
        { context, _, name, value in
            guard let context, let name else { return .NO }
            let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
            let key = collector.lowercase ? String(cString: name).lowercased() : String(cString: name)
            collector.values[key] = collector.values[key] ?? value.map { String(cString: $0) } ?? ""
            return collector.values.count < 200 ? .YES : .NO
        }, Unmanaged.passUnretained(collector).toOpaque())
    return withExtendedLifetime(collector) { collector.values }
}

private func isLoopback(_ connection: OpaquePointer) -> Bool {
    guard let address = vaka_mhd_client(connection) else { return false }
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
        return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 4, as: UInt8.self) == 127
    case AF_INET6:
        let bytes = (0..<16).map { UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 8 + $0, as: UInt8.self) }
        let mapped = bytes[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] && bytes[12] == 127
        return mapped || (bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1)
    default:
        return false
    }
}
