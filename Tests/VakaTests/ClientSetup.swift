// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

@testable import Vaka

/// A client whose time and threads are the test's, over real HTTP. Catches no crashes of the test's own process.
struct ClientSetup {
    let folder = Result { try TemporaryFolder() }
    let clock = ManualClock()
    let scheduler = ManualScheduler()
    let client: Client

    var path: String { (try? folder.get().path) ?? "" }

    init(url: String, configure: (inout Vaka.Options) -> Void = { _ in }) throws {
        var options = Vaka.Options(
            key: "vk_test", endpoint: URL(string: url) ?? URL(filePath: "/"), release: "app@1.0",
            environment: "test", crashReporting: false, sessionTracking: false,
            storageDirectory: URL(filePath: try folder.get().path + "/state/vaka"))
        configure(&options)
        client = try Client(options: options, scheduler: scheduler, timekeeper: clock)
    }

    var waiting: [String] { (try? folder.get().waitingBatches("state/vaka")) ?? [] }
}
