// SPDX-License-Identifier: Apache-2.0
// A program whose asynchronous main function throws what nobody catches.

struct Unreachable: Error {
    var host: String
}

@inline(never)
func connect(_ host: String) async throws -> Int {
    await Task.yield()
    if host.count > 3 { throw Unreachable(host: host) }
    return host.count
}

@main
struct Client {
    static func main() async throws {
        let connection = try await connect("orders.example")
        print("connection: \(connection)")
    }
}
