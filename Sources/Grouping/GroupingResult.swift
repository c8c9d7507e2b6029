// SPDX-License-Identifier: Apache-2.0

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
    /// The primary key rests on addresses or system frames only, because symbols are missing: it will change when they come.
    package var provisional: Bool
}
