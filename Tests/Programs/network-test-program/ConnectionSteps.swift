// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import VakaNetwork

// `websocket=N` (N messages there and back, then closed by the server), `socket=N` (the same over a socket, closed here).

@MainActor func performConnection(_ name: String, _ value: String) -> Bool {
    switch name {
    case "websocket": talk(Int(value) ?? 0)
    case "socket": exchange(Int(value) ?? 0)
    default: return false
    }
    return true
}

@MainActor private func talk(_ count: Int) {
    guard let adapter = transports.webSockets,
        let client = try? ReferenceWebSocket(port: webSocketPort, path: "/talk?secret=1")
    else { return say("no websocket") }
    let id = "websocket"
    adapter.didOpen(client.address, connectionId: id, status: client.status)
    let done = DispatchSemaphore(value: 0)
    for number in 0..<count {
        adapter.send(.text("message \(number)"), on: client, connectionId: id) { error in
            if let error { say("send \((error as NSError).code)") }
            done.signal()
        }
        done.wait()
        adapter.receive(on: client, connectionId: id) { result in
            if case .failure(let error) = result { say("receive \((error as NSError).code)") }
            done.signal()
        }
        done.wait()
    }
    adapter.send(.text("close"), on: client, connectionId: id) { _ in done.signal() }
    done.wait()
    client.receive { _ in done.signal() }
    done.wait()
    adapter.didClose(connectionId: id, code: 1000)
    adapter.didClose(connectionId: id, code: 1000)
    say("talked")
}

@MainActor private func exchange(_ count: Int) {
    guard let adapter = transports.sockets else { return say("no socket") }
    let id = "socket"
    let descriptor = newSocket()
    let done = DispatchSemaphore(value: 0)
    adapter.start(
        descriptor, address: loopback(socketPort), queue: .global(), endpoint: "127.0.0.1:\(socketPort)",
        connectionId: id,
        onFault: { error in
            say("fault \(error)")
            done.signal()
        },
        completion: { error in
            say("connected \(error)")
            done.signal()
        })
    done.wait()
    for number in 0..<count {
        let message = Array("message \(number)".utf8)
        let sent = message.withUnsafeBytes { adapter.send($0, on: descriptor, connectionId: id) }
        var answer = [UInt8](repeating: 0, count: max(0, sent))
        let got = answer.withUnsafeMutableBytes { adapter.receive(into: $0, on: descriptor, connectionId: id) }
        if got != sent { say("\(sent) sent, \(got) received") }
    }
    close(descriptor)
    adapter.forward(.closed, connectionId: id)
    say("exchanged")
}
