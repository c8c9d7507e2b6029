// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What decides over the descriptors of the transports.
struct CaptureState: Hashable, Sendable {
    /// The SDK runs, and its options let transports be captured.
    var isInitialized = false
    /// Neither the program nor the service has switched it off.
    var isEnabled = true
    var registered: Set<HostTransport> = []
    /// Whether fault rules exist.
    var hasFaultRules = FaultRules.exist

    func descriptor(_ transport: HostTransport) -> CapabilityDescriptor {
        func not(_ state: CapabilityState, _ reason: CapabilityReason) -> CapabilityDescriptor {
            CapabilityDescriptor(id: transport.rawValue, state: state, reason: reason)
        }
        guard transport.hasAdapter else { return not(.unsupported, .noAdapter) }
        guard isInitialized else { return not(.notInitialized, .networkCaptureNotInitialized) }
        guard registered.contains(transport) else { return not(.disabled, .hostOptIn) }
        guard isEnabled else { return not(.disabled, .networkCaptureDisabled) }
        return CapabilityDescriptor(
            id: transport.rawValue, state: .supported,
            faultEnforcement: hasFaultRules ? transport.faultEnforcement : .none,
            faultActions: hasFaultRules ? transport.faultActions : [])
    }

    var descriptors: [CapabilityDescriptor] { HostTransport.allCases.map(descriptor) }
}
