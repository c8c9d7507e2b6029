// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TestSupport

/// Sends events one after another, numbered from 1.
final class Sender: Sendable {
    private let server: ServerProcess
    private let count = Mutex(0)

    init(_ server: ServerProcess) {
        self.server = server
    }

    static func eventID(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    func send(_ number: Int) throws {
        for _ in 0..<number { try sendNext() }
    }

    /// From another thread, until it is told to stop.
    func keepSending() -> Loading { Loading { try self.sendNext() } }

    private func sendNext() throws {
        let id = Self.eventID(
            count.withLock {
                $0 += 1; return $0
            })
        let payload = """
            {"event_id":"\(id)","schema_version":1,"type":"message","timestamp":"2026-01-01T00:00:00.000Z","level":"info",\
            "message":"number"}
            """
        let answer = try server.ingest(
            """
            {"schema_version":1,"install_id":"i","sequence":1,"sent_at":"2026-01-01T00:00:00.000Z","items":[{"kind":"event",\
            "id":"\(id)","payload":\(payload)}]}
            """)
        guard answer.status == 202 else { throw ChildProcess.Failure(description: answer.text) }
    }
}

/// Work that another thread does again and again.
final class Loading: Sendable {
    private let isOver = Mutex(false)
    private let rounds = Mutex(0)
    private let ended = DispatchGroup()

    init(_ work: @escaping @Sendable () throws -> Void) {
        DispatchQueue.global().async(group: ended) { [self] in
            while !isOver.withLock({ $0 }), (try? work()) != nil { rounds.withLock { $0 += 1 } }
        }
    }

    /// How often it was done.
    var count: Int { rounds.withLock { $0 } }

    func stop() -> Int {
        isOver.withLock { $0 = true }
        ended.wait()
        return count
    }
}
