// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The capabilities as they were told last, and the session that was told of them.
struct CapabilityTelling {
    private(set) var told: [CapabilityDescriptor]?
    private(set) var session: String?
    private var isDue = false
    private var last: UInt64 = 0

    /// A higher `number` was looked at later. False where they are known already, or newer ones are.
    mutating func tell(_ capabilities: [CapabilityDescriptor], number: UInt64) -> Bool {
        guard number > last else { return false }
        last = number
        guard told != capabilities else { return false }
        told = capabilities
        isDue = true
        return true
    }

    /// What is to be told to the session; nil where it knows.
    mutating func take(session: String?) -> [CapabilityDescriptor]? {
        guard let told, isDue || session != self.session else { return nil }
        isDue = false
        self.session = session
        return told
    }
}
