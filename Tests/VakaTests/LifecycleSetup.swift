// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import VakaModel

@testable import Vaka

/// A lifecycle over real HTTP, whose clients' time and threads are the test's; each in a folder that they share.
final class LifecycleSetup: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    let scheduler: ManualScheduler
    let url: String
    let lifecycle: Lifecycle

    /// With `sendsInBackground` a call does not wait for its requests; with `isReal` threads and clocks are the real ones.
    init(
        _ server: ScriptedServer, folder: TemporaryFolder? = nil, sendsInBackground: Bool = false, isReal: Bool = false
    ) throws {
        url = server.url
        self.folder = try folder ?? TemporaryFolder()
        let scheduler = ManualScheduler(sendsInBackground: sendsInBackground)
        self.scheduler = scheduler
        lifecycle = Lifecycle { [clock] start in
            if isReal { return try Client(options: start.options, user: start.user) }
            return try Client(options: start.options, user: start.user, scheduler: scheduler, timekeeper: clock)
        }
    }

    func options(key: String = "vk_a", configure: (inout Vaka.Options) -> Void = { _ in }) -> Vaka.Options {
        var options = Vaka.Options(
            key: key, endpoint: URL(string: url) ?? URL(filePath: "/"), release: "app@1.0", environment: "test",
            crashReporting: false, sessionTracking: false, storageDirectory: URL(filePath: folder.path + "/state"))
        configure(&options)
        return options
    }

    func start(key: String = "vk_a", user: Vaka.User? = nil, configure: (inout Vaka.Options) -> Void = { _ in }) {
        lifecycle.start(Lifecycle.Start(options: options(key: key, configure: configure), user: user))
    }

    /// Waits for the report.
    func stop() {
        let done = DispatchSemaphore(value: 0)
        lifecycle.stop { done.signal() }
        done.wait()
    }

    /// Waits for the end of the start, and tells whether anything runs then.
    func restart(user: Vaka.User? = nil, options: Vaka.Options? = nil) -> Bool {
        let answer = Answer<Bool>()
        lifecycle.restart(user: user, options: options) { answer.tell($0) }
        return answer.value
    }

    /// Has it tracked; what its callback is told, and how often.
    @discardableResult
    func track(_ name: String) -> Answer<Vaka.APIError?> {
        let answer = Answer<Vaka.APIError?>()
        lifecycle.collect({ answer.tell($0) }) { $0.track(name, [:]) }
        return answer
    }

    var waiting: [String] { folder.waitingBatches("state") }
}

/// What is told once, maybe on another thread.
final class Answer<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let told = DispatchSemaphore(value: 0)

    func tell(_ value: Value) {
        values.withLock { $0.append(value) }
        told.signal()
    }

    /// Waits for it.
    var value: Value {
        told.wait()
        told.signal()
        return values.withLock { $0[0] }
    }

    var count: Int { values.withLock { $0.count } }
}

extension ScriptedServer {
    /// Names of what was tracked, in the order of its arrival.
    func tracked() throws -> [String] {
        try requests().flatMap(\.items).filter { $0["kind"] == "track" }.compactMap { $0["payload"]?["name"]?.string }
    }

    /// The keys of the requests.
    func keys() throws -> [String] {
        try requests().map { String($0.headers["authorization"]?.dropFirst("Bearer ".count) ?? "") }
    }
}
