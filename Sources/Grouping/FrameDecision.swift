// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What grouping made of one frame, and why.
package struct FrameDecision: Codable, Hashable, Sendable {
    /// The frame's place in its stack, innermost first.
    package var index: Int
    /// The normalised name; the build id and relative address where there is none.
    package var function: String
    package var module: String?
    /// The rule that classified it.
    package var rule: String
    /// The frame is part of the key F.
    package var kept: Bool
    package var why: String

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case index, function, module, rule, kept, why
    }
}
