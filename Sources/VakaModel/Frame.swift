// SPDX-License-Identifier: Apache-2.0

/// How a frame was found.
public struct FrameTrust: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// From the registers of the thread itself.
    public static let context = FrameTrust(rawValue: "context")
    /// By call frame information (`.eh_frame`, `.debug_frame`).
    public static let cfi = FrameTrust(rawValue: "cfi")
    /// The return address at the top of the stack, after a call into nowhere.
    public static let stackTop = FrameTrust(rawValue: "stack_top")
    /// By the chain of frame pointers.
    public static let framePointer = FrameTrust(rawValue: "frame_pointer")
    /// From a Swift async context.
    public static let async = FrameTrust(rawValue: "async")
    /// A stack word that looks like a return address: a guess.
    public static let scan = FrameTrust(rawValue: "scan")
}

/// What became of a frame's symbolication.
public struct FrameStatus: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Function, and file and line where the debug information has them.
    public static let symbolicated = FrameStatus(rawValue: "symbolicated")
    /// The image was found; it has a symbol but no DWARF for this address.
    public static let noDebugInfo = FrameStatus(rawValue: "no_debug_info")
    /// The image is known by its build id but was not found.
    public static let missingImage = FrameStatus(rawValue: "missing_image")
    /// The image was found and has nothing for this address.
    public static let noSymbol = FrameStatus(rawValue: "no_symbol")
    /// The address lies in no image.
    public static let noModule = FrameStatus(rawValue: "no_module")
}

/// One frame of a stack, innermost first; an inlined frame stands before the physical frame that holds it.
public struct Frame: Codable, Hashable, Sendable {
    /// The raw program counter: a return address for a caller's frame.
    public var instructionAddress: HexAddress
    public var trust: FrameTrust
    @Defaulted public var inlined: Bool
    /// The linkage name.
    @ExplicitNull public var symbol: String?
    /// The name as a person reads it.
    @ExplicitNull public var function: String?
    @ExplicitNull public var file: String?
    @ExplicitNull public var line: Int?
    @ExplicitNull public var column: Int?
    /// The image file's last path component.
    @ExplicitNull public var module: String?
    @ExplicitNull public var buildID: BuildID?
    /// Instruction address minus image address.
    @ExplicitNull public var relativeAddress: HexAddress?
    @ExplicitNull public var inApp: Bool?
    /// Nil before symbolication.
    @ExplicitNull public var status: FrameStatus?
    /// Remarks a reader should know, such as `line_of_caller`.
    @Defaulted public var notes: [String]
    /// The source around `line`; nil where it is not known or the frame is not the program's own.
    @ExplicitNull public var sourceContext: SourceContext?

    public init(
        instructionAddress: HexAddress, trust: FrameTrust, inlined: Bool = false, symbol: String? = nil,
        function: String? = nil, file: String? = nil, line: Int? = nil, column: Int? = nil, module: String? = nil,
        buildID: BuildID? = nil, relativeAddress: HexAddress? = nil, inApp: Bool? = nil, status: FrameStatus? = nil,
        notes: [String] = [], sourceContext: SourceContext? = nil
    ) {
        self.instructionAddress = instructionAddress
        self.trust = trust
        self.inlined = inlined
        self.symbol = symbol
        self.function = function
        self.file = file
        self.line = line
        self.column = column
        self.module = module
        self.buildID = buildID
        self.relativeAddress = relativeAddress
        self.inApp = inApp
        self.status = status
        self.notes = notes
        self.sourceContext = sourceContext
    }

    /// A note: the frame was interrupted by a signal, not left by a call.
    public static let interrupted = "interrupted"
    /// A note: the instruction that trapped is the one before the address, as the processor had gone on.
    public static let trapped = "trapped"
    /// A note: its address led nowhere, and was left out, since it may be part of a text.
    public static let leftOut = "left_out"

    /// The address to look up. A return address may lie behind the end of the calling function, so a caller's frame
    /// is looked up one byte before it; the crashed frame, an async resume address and an interrupted frame are not,
    /// but where the instruction before it trapped.
    public var lookupAddress: UInt64 {
        let isHere = trust == .context || trust == .async || notes.contains(Self.interrupted)
        let exact = isHere && !notes.contains(Self.trapped)
        let address = instructionAddress.rawValue
        return exact || address == 0 ? address : address - 1
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case instructionAddress = "instruction_addr"
        case trust, inlined, symbol, function, file, line, column, module
        case buildID = "build_id"
        case relativeAddress = "relative_addr"
        case inApp = "in_app"
        case status, notes
        case sourceContext = "source_context"
    }
}
