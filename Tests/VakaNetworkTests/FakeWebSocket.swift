// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

@testable import VakaNetwork

/// A transport that does what the test says, at once.
final class FakeWebSocket: WebSocketTransport {
    struct State {
        var sent: [WebSocketMessage] = []
        var toReceive: [WebSocketMessage] = []
        var closed: [Int] = []
        var resets = 0
    }

    struct Ended: Error {}

    let state = Mutex(State())
    let address = "wss://chat.example/room?token=secret"

    func send(_ message: WebSocketMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        let isOpen = state.withLock { state in
            guard state.closed.isEmpty, state.resets == 0 else { return false }
            state.sent.append(message)
            return true
        }
        completionHandler(isOpen ? nil : Ended())
    }

    func receive(completionHandler: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        let message = state.withLock { state in state.toReceive.isEmpty ? nil : state.toReceive.removeFirst() }
        completionHandler(message.map { .success($0) } ?? .failure(Ended()))
    }

    func close(code: Int, reason: Data?) { state.withLock { $0.closed.append(code) } }
    func reset() { state.withLock { $0.resets += 1 } }
}
