// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Makes what holds captured memory unreadable without a key, where it is kept. Used by many threads at once.
package protocol PayloadSealing: Sendable {
    func seal(_ payload: Data) -> Data
    /// What was sealed by the same key, or was never sealed; nil for all else.
    func open(_ payload: Data) -> Data?
}
