// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The keys of an event, its title, and the record of how both came about.
package struct GroupingResult: Codable, Hashable, Sendable {
    /// The primary key first; an event belongs to the issue of the first key that is known.
    package var keys: [GroupingKey]
    /// The reason in words and the deciding function.
    package var title: String
    /// The deciding frame's function and place.
    package var culprit: String?
    package var explain: [FrameDecision]
    package var version: Int
    /// What the primary key rests on.
    package var basis: Basis

    package enum Basis: String, Codable, Sendable {
        /// Names; it stays as it is.
        case names
        /// Places of the program's own frames, for symbols are missing. It will change when they come, and for all of its
        /// events alike.
        case addresses
        /// No frame of the program's own, and symbols or frames are missing: different problems may share it until then.
        case remnants
    }

    /// The key will change when symbols come.
    package var provisional: Bool { basis != .names }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case keys, title, culprit, explain, version, basis
    }
}
