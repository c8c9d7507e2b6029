// SPDX-License-Identifier: Apache-2.0
import Glibc

// A server that knows nothing of Vaka: `crashing-server`. It prints the port of 127.0.0.1 that it listens on, answers
// what it is asked, and crashes when it is asked for an order that it does not have.

let orders = ["1": "a lamp", "2": "a chair"]

@inline(never)
func describeOrder(_ number: String) -> String {
    "order \(number): \(orders[number]!)\n"
}

@inline(never)
func answer(_ request: String) -> String {
    let words = request.split(separator: " ")
    let path = words.count > 1 ? words[1] : "/"
    let text = describeOrder(String(path.dropFirst()))
    return "HTTP/1.0 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
}

func say(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
}

func listen() -> Int32 {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
            guard bind(server, plain, length) == 0, Glibc.listen(server, 8) == 0,
                getsockname(server, plain, &length) == 0
            else { exit(3) }
        }
    }
    say("listening on \(UInt16(bigEndian: address.sin_port))\n")
    return server
}

let server = listen()
while true {
    let client = accept(server, nil, nil)
    guard client >= 0 else { continue }
    var request = [UInt8](repeating: 0, count: 4096)
    let got = read(client, &request, request.count)
    say("request of \(max(0, got)) bytes\n", to: STDERR_FILENO)
    say(answer(String(decoding: request.prefix(max(0, got)), as: UTF8.self)), to: client)
    close(client)
}
