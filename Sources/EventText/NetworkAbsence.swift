// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Why an event has no exchanges over a network, by what the program could tell of.
package enum NetworkAbsence {
    private static let transports = "network.transport."

    /// A sentence; nil where there are exchanges, and where nothing is known.
    package static func words(_ event: Event) -> String? {
        guard event.network?.exchanges.isEmpty != false, event.network != nil || event.capabilities != nil else {
            return nil
        }
        return "No requests are shown: \(why(event.capabilities ?? []))."
    }

    private static func why(_ capabilities: [CapabilityDescriptor]) -> String {
        let known = capabilities.filter { $0.id.hasPrefix(transports) }
        let reasons = known.compactMap(\.reason)
        if known.isEmpty { return "the program tells nothing of its network" }
        if known.contains(where: { $0.state == .supported }) {
            return "none was made over what the host has registered"
        }
        if reasons.contains(.networkCaptureNotInitialized) || reasons.contains(.notInitialized) {
            return "the SDK was not started with network capture"
        }
        if reasons.contains(.networkCaptureDisabled) { return "network capture is switched off" }
        if reasons.contains(.hostOptIn) { return "the host has not registered any of its transports" }
        return "no transport of the program can be captured"
    }
}
