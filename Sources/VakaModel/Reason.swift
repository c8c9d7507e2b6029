// SPDX-License-Identifier: Apache-2.0

/// Who wrote the message of a reason.
public struct MessageSource: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let swift = MessageSource(rawValue: "swift")
    public static let glibc = MessageSource(rawValue: "glibc")
    public static let cxx = MessageSource(rawValue: "cxx")
    public static let rust = MessageSource(rawValue: "rust")
    /// The artificial inlined function that the Swift compiler places around a trap.
    public static let dwarf = MessageSource(rawValue: "dwarf")
    public static let stderr = MessageSource(rawValue: "stderr")
    /// The program's own word, by `vaka_crash_set_message()`.
    public static let host = MessageSource(rawValue: "host")
}

/// Why the process ended.
public struct Reason: Codable, Hashable, Sendable {
    /// The signal's name, such as `SIGSEGV`.
    @ExplicitNull public var signal: String?
    @ExplicitNull public var number: Int?
    /// The name of its code, such as `SEGV_MAPERR`.
    @ExplicitNull public var code: String?
    /// The Mach-style exception name, by meaning.
    @ExplicitNull public var exception: String?
    @ExplicitNull public var faultAddress: HexAddress?
    /// What the code tried to do there.
    @ExplicitNull public var access: FaultAccess?
    @ExplicitNull public var kind: ReasonKind?
    /// The process that sent the signal, where another did.
    @ExplicitNull public var senderPID: Int?
    /// That process's name, where it could still be had.
    @ExplicitNull public var senderName: String?
    @ExplicitNull public var message: String?
    @ExplicitNull public var messageSource: MessageSource?

    public init(
        signal: String? = nil, number: Int? = nil, code: String? = nil, exception: String? = nil,
        faultAddress: HexAddress? = nil, senderPID: Int? = nil, message: String? = nil,
        messageSource: MessageSource? = nil, access: FaultAccess? = nil, kind: ReasonKind? = nil,
        senderName: String? = nil
    ) {
        self.signal = signal
        self.number = number
        self.code = code
        self.exception = exception
        self.faultAddress = faultAddress
        self.senderPID = senderPID
        self.message = message
        self.messageSource = messageSource
        self.access = access
        self.kind = kind
        self.senderName = senderName
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case signal, number, code, exception
        case faultAddress = "fault_address"
        case access, kind
        case senderPID = "sender_pid"
        case senderName = "sender_name"
        case message
        case messageSource = "message_source"
    }
}
