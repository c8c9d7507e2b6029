// SPDX-License-Identifier: Apache-2.0

/// One thing that was found of a debug image: what it has or lacks, and what would mend that.
public struct ImageFinding: Codable, Hashable, Sendable {
    public struct State: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let ok = State(rawValue: "ok")
        public static let partial = State(rawValue: "partial")
        public static let missing = State(rawValue: "missing")
    }

    /// Such as `build id`, `DWARF`, `lines`.
    public var name: String
    public var state: State
    /// For people.
    public var detail: String
    /// The command, or the option, that would mend it; nil where nothing needs to be.
    @ExplicitNull public var cure: String?

    public init(name: String, state: State, detail: String, cure: String? = nil) {
        self.name = name
        self.state = state
        self.detail = detail
        self.cure = cure
    }
}
