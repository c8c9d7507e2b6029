// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// One instruction, as text.
package struct Instruction: Hashable, Sendable {
    package var address: HexAddress
    package var bytes: [UInt8]
    /// In Intel's notation for x86-64, Arm's for arm64.
    package var text: String
    /// Where a jump or a call leads that names its target; nil for all else.
    package var target: HexAddress?
}
