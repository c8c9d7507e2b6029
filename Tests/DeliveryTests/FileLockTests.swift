// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite struct FileLockTests {
    /// One that gives it up and wants it back at once leaves it to those who wait.
    @Test func whoWaitsHasItsTurn() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.lock"
        for _ in 0..<5 {
            let holders = Mutex<[String]>([])
            let waiter = DispatchGroup()
            var lock: FileLock? = try FileLock(waitingFor: path)
            DispatchQueue(label: "waiter").async(group: waiter) {
                guard let lock = try? FileLock(waitingFor: path) else { return }
                holders.withLock { $0.append("waiter") }
                withExtendedLifetime(lock) {}
            }
            try eventually { try FileLock.ifFree(path + ".next") == nil ? true : nil }
            withExtendedLifetime(lock) {}
            lock = nil
            lock = try FileLock(waitingFor: path)
            holders.withLock { $0.append("holder") }
            lock = nil
            waiter.wait()
            #expect(holders.withLock { $0 } == ["waiter", "holder"])
        }
    }

    @Test func oneAtATime() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.lock"
        let lock = try FileLock(waitingFor: path)
        #expect(try FileLock.ifFree(path) == nil)
        #expect(throws: StorageError.self) { try FileLock(waitingFor: path, atMost: .milliseconds(20)) }
        withExtendedLifetime(lock) {}
    }

    @Test func itIsGivenUpWithTheValue() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.lock"
        _ = try FileLock(waitingFor: path)
        #expect(try FileLock.ifFree(path) != nil)
    }
}
