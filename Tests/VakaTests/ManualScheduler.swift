// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization

@testable import Vaka

/// Does the work at once, on the caller's thread; what is for later waits for the test.
final class ManualScheduler: Scheduler {
    private typealias Later = [(wait: Duration, work: @Sendable () -> Void)]

    private let later = Mutex<Later>([])
    private let alarms = Mutex<Later>([])
    private let sender: DispatchQueue?
    /// Held by the thread that writes, for which another would wait.
    private let writing = NSRecursiveLock()

    /// With `sendsInBackground` a queue of its own sends.
    init(sendsInBackground: Bool = false) {
        sender = sendsInBackground ? DispatchQueue(label: "sender") : nil
    }

    func write(_ work: @escaping @Sendable () -> Void) { writing.withLock(work) }
    func writeAndWait(_ work: @Sendable () -> Void) { writing.withLock(work) }

    func send(_ work: @escaping @Sendable () -> Void) {
        if let sender { sender.async(execute: work) } else { work() }
    }

    func write(after wait: Duration, _ work: @escaping @Sendable () -> Void) {
        later.withLock { $0.append((wait, work)) }
    }

    func alarm(after wait: Duration, _ work: @escaping @Sendable () -> Void) {
        alarms.withLock { $0.append((wait, work)) }
    }

    var waits: [Duration] { later.withLock { $0.map(\.wait) } }

    /// Does what was put off, except what that puts off again.
    func runLater() { writing.withLock { Self.run(later) } }

    var alarmWaits: [Duration] { alarms.withLock { $0.map(\.wait) } }

    /// As if the time of every alarm had come.
    func ring() { Self.run(alarms) }

    /// Waits for what is being sent.
    func finishSending() { sender?.sync {} }

    private static func run(_ list: borrowing Mutex<Later>) {
        let work = list.withLock { list in
            defer { list = [] }
            return list
        }
        for item in work { item.work() }
    }
}
