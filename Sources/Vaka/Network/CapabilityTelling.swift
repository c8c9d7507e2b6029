// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The capabilities as they were told last, and the session that was told of them.
struct CapabilityTelling {
    private(set) var told: [CapabilityDescriptor]?
    private(set) var session: String?
    private var isDue = false

    mutating func tell(_ capabilities: [CapabilityDescriptor]) {
        told = capabilities
        isDue = true
    }

    /// What is to be told to the session; nil where it knows.
    mutating func take(session: String?) -> [CapabilityDescriptor]? {
        guard let told, isDue || session != self.session else { return nil }
        isDue = false
        self.session = session
        return told
    }
}
