// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// The physical frames of one thread, as a walk over its whole memory found them.
package struct PhysicalStack: Sendable {
    package struct Frame: Sendable {
        package var instructionAddress: UInt64
        package var stackPointer: UInt64
        package var trust: FrameTrust
        /// A signal took it there, not a call.
        package var wasInterrupted: Bool

        package init(instructionAddress: UInt64, stackPointer: UInt64, trust: FrameTrust, wasInterrupted: Bool = false)
        {
            self.instructionAddress = instructionAddress
            self.stackPointer = stackPointer
            self.trust = trust
            self.wasInterrupted = wasInterrupted
        }
    }

    package var frames: [Frame]
    /// They lead to the stack's end.
    package var isComplete: Bool
    package var reachedFrameLimit: Bool
    /// Images whose call frame information was wanted and not at hand.
    package var missingImages: [DebugImage]
}
