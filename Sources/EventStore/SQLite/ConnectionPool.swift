// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Reading connections, made as they are needed and kept.
final class ConnectionPool: Sendable {
    private let path: String
    private let idle = Mutex<[SQLConnection]>([])
    private static let mostIdle = 8

    init(path: String) {
        self.path = path
    }

    func read<Result>(_ body: (SQLConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let pooled = idle.withLock { $0.popLast() }
        let connection: SQLConnection
        if let pooled {
            connection = pooled
        } else {
            connection = try SQLConnection(path: path, readOnly: true)
        }
        defer {
            idle.withLock { connections in
                if connections.count < Self.mostIdle { connections.append(connection) }
            }
        }
        return try body(connection)
    }

    func close() {
        idle.withLock { connections in
            connections.forEach { $0.close() }
            connections = []
        }
    }
}
