// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials

extension Client {
    /// How often the service is asked, as long as something is sent anyway.
    private static let refreshInterval = Duration.seconds(3600)
    private static let bound = Duration.seconds(10)

    /// Asks for the project's settings, unless that was done lately. On the sending thread; blocks.
    func refreshSettings() {
        let now = timekeeper.uptime
        let isDue = state.withLock { state in
            if let next = state.nextRefresh, now < next { return false }
            state.nextRefresh = now + Self.refreshInterval
            return true
        }
        guard isDue, !outbox.isStopped else { return }
        let known = state.withLock { $0.settings }
        do {
            let answer = try outbox.get(ServiceEndpoint.settingsPath, version: known.version, timeout: Self.bound)
            guard answer.status == 200, let settings = ServerSettings(document: answer.body), settings != known else {
                return
            }
            try settings.keep(in: outbox.queue)
            state.withLock { $0.settings = settings }
            network.withLock { $0 = Self.networkSettings(options, settings) }
            whenSettingsChange.withLock { $0 }?()
            recordings.settingsChanged()
            log("the project's settings are new; some apply at the next start")
        } catch {
            log("the project's settings stay as they are: \(error)")
        }
    }
}
