// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// Eight threads call everything while the SDK stops, starts again under another key, and erases: what was told to be kept
/// arrives, once, and nothing else does.
@Suite struct StressTests {
    private final class Told: Sendable {
        let kept = Mutex<Set<String>>([])
        let refused = Mutex<[Vaka.APIError: Int]>([:])
        let open = DispatchGroup()

        func callback(_ name: String) -> Lifecycle.Callback {
            open.enter()
            return { [self] error in
                if let error {
                    refused.withLock { $0[error, default: 0] += 1 }
                } else {
                    kept.withLock { _ = $0.insert(name) }
                }
                open.leave()
            }
        }
    }

    @Test func everythingAtOnce() throws {
        let server = try ScriptedServer()
        let setup = try LifecycleSetup(server, isReal: true)
        let told = Told()
        let ends = Mutex(false)
        let rounds = getenv("VAKA_SOAK") == nil ? 6 : 200
        let configure: @Sendable (inout Vaka.Options) -> Void = {
            $0.sessionTracking = true
            $0.flushInterval = .milliseconds(20)
            $0.maxBatchSize = 20
        }
        setup.start(key: "vk_0", configure: configure)
        let workers = (0..<8).map { worker in
            Worker {
                let lifecycle = setup.lifecycle
                var number = -1
                while !ends.withLock({ $0 }) {
                    number += 1
                    let name = "\(worker)-\(number)"
                    lifecycle.collect(told.callback(name)) { $0.track(name, [:]) }
                    lifecycle.collect { $0.setTag("worker", name) }
                    lifecycle.collect {
                        $0.addBreadcrumb(category: "w", message: name, level: .info, data: [:])
                    }
                    lifecycle.collect { $0.logHealthMessage(name) }
                    lifecycle.identify(number % 3 == 0 ? nil : .init(userId: name))
                    switch number % 16 {
                    case 0: lifecycle.collect { $0.capture(Unexpected(), stack: CallStack()) }
                    case 4: lifecycle.collect { $0.setActive(worker % 2 == 0) }
                    case 8: lifecycle.flush()
                    case 12: lifecycle.clear([.health, .recordings])
                    default: break
                    }
                    usleep(1000)
                }
                return number + 1
            }
        }
        try eventually { told.kept.withLock { $0.count > 50 ? true : nil } }
        for round in 1...rounds {
            usleep(20_000)
            #expect(setup.restart(options: setup.options(key: "vk_\(round % 3)", configure: configure)))
            guard round % 3 == 0 else { continue }
            setup.stop()
            usleep(2000)
            setup.start(key: "vk_\(round % 3)", configure: configure)
        }
        ends.withLock { $0 = true }
        let calls = workers.reduce(0) { $0 + ($1.value() ?? 0) }
        told.open.wait()
        #expect(setup.lifecycle.flush(timeout: .seconds(60)))
        setup.stop()

        let tracked = try server.tracked()
        let kept = told.kept.withLock { $0 }
        #expect(Set(tracked) == kept, "\(kept.symmetricDifference(tracked).sorted().prefix(10))")
        #expect(tracked.count == kept.count)
        let refused = told.refused.withLock { $0 }
        #expect(kept.count + refused.values.reduce(0, +) == calls)
        #expect(Set(refused.keys).isSubset(of: [.notRunning, .tooMany]))
        #expect(!kept.isEmpty && refused[.notRunning] ?? 0 > 0)
        // Every session that began has ended.
        let sessions = try server.sessions()
        let (begun, ended) = (sessions.filter { $0.status == .ok }, sessions.filter { $0.status != .ok })
        #expect(Set(begun.map(\.id)) == Set(ended.map(\.id)))
        #expect(Set(ended.map(\.id)).count == ended.count)
    }
}
