// SPDX-License-Identifier: Apache-2.0

/// One thread at the moment of the crash, or of the snapshot.
public struct ThreadState: Codable, Hashable, Sendable {
    /// The kernel's thread id.
    public var id: Int
    @ExplicitNull public var name: String?
    @Defaulted public var crashed: Bool
    /// True of the thread that a hang or a snapshot is about; else nil.
    public var current: Bool?
    /// True where of registers and stack only what is a pointer was kept, since the rest may hold texts; else nil.
    public var pointersOnly: Bool?
    /// By their usual names (`rip`, `x29`); empty where they could not be had. One that is not there is not known.
    @Defaulted public var registers: [String: HexAddress]
    @Defaulted public var frames: [Frame]
    /// The walk ended at its bound or could not go on, before the stack's end.
    @Defaulted public var framesTruncated: Bool
    /// The captured slice of the stack; on the wire and in the spool only.
    public var stack: MemoryRegion?

    public init(
        id: Int, name: String? = nil, crashed: Bool = false, registers: [String: HexAddress] = [:],
        frames: [Frame] = [],
        framesTruncated: Bool = false, stack: MemoryRegion? = nil
    ) {
        self.id = id
        self.name = name
        self.crashed = crashed
        self.registers = registers
        self.frames = frames
        self.framesTruncated = framesTruncated
        self.stack = stack
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case id, name, crashed, current, registers, frames
        case framesTruncated = "frames_truncated"
        case pointersOnly = "pointers_only"
        case stack
    }
}
