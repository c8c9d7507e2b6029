// SPDX-License-Identifier: Apache-2.0

/// What an event tells of.
public struct EventType: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let crash = EventType(rawValue: "crash")
    public static let error = EventType(rawValue: "error")
    public static let message = EventType(rawValue: "message")
    public static let abnormal = EventType(rawValue: "abnormal")
    public static let hang = EventType(rawValue: "hang")
    public static let snapshot = EventType(rawValue: "snapshot")
}

/// The document of one crash, hang, snapshot, error or message; the same before and after symbolication.
public struct Event: Codable, Hashable, Sendable {
    public static let schemaVersion = 1
    /// Whose crashes can be unwound.
    public static let architectures = ["x86_64", "arm64"]

    public var schemaVersion: Int
    /// 32 hexadecimal digits; the same event sent twice is stored once.
    public var eventID: String
    public var type: EventType
    public var timestamp: Timestamp
    public var platform: String
    /// `x86_64` or `arm64`.
    @ExplicitNull public var arch: String?
    public var level: Level
    /// `os`, `kernel`, `libc`, `host`, `container`, `process`: each an object, empty where nothing is known.
    @Defaulted public var contexts: [String: JSONValue]
    @Defaulted public var errors: [ReportedError]
    @ExplicitNull public var release: String?
    @ExplicitNull public var environment: String?
    @ExplicitNull public var user: [String: JSONValue]?
    @Defaulted public var tags: [String: String]
    @Defaulted public var breadcrumbs: [Breadcrumb]
    @ExplicitNull public var session: Session?
    @ExplicitNull public var reason: Reason?
    /// Of an event of the type `hang`.
    public var hang: Hang?
    @Defaulted public var threads: [ThreadState]
    @Defaulted public var debugImages: [DebugImage]
    @Defaulted public var loss: [Loss]
    /// Set by the client to decide the grouping.
    public var fingerprint: [String]?
    /// The share of such events that the client sends, where that is not each: one stands for `1 / sampleRate`.
    public var sampleRate: Double?
    /// Captured memory that is no thread's stack; on the wire and in the spool only.
    public var memory: [MemoryRegion]?
    /// The last exchanges before it, finished and in flight.
    public var network: NetworkHistory?
    /// What the SDK could tell of, and why it does not tell of the rest; nil where the sender has no such list.
    public var capabilities: [CapabilityDescriptor]?

    public init(eventID: String, type: EventType, timestamp: Timestamp, level: Level, arch: String? = nil) {
        schemaVersion = Self.schemaVersion
        self.eventID = eventID
        self.type = type
        self.timestamp = timestamp
        platform = "linux"
        self.arch = arch
        self.level = level
        contexts = [:]
        errors = []
        release = nil
        environment = nil
        user = nil
        tags = [:]
        breadcrumbs = []
        session = nil
        reason = nil
        threads = []
        debugImages = []
        loss = []
    }

    public var crashedThread: ThreadState? { threads.first { $0.crashed } }
    /// The thread that the event is about: the one that crashed, that hangs, or that asked for the snapshot.
    public var subjectThread: ThreadState? { crashedThread ?? threads.first { $0.current == true } }

    /// Whether the crashed thread's program counter stands behind the instruction that raised the signal. After int3 of
    /// x86_64 it does, and the kernel's word for that is a SIGTRAP with SI_KERNEL; after other traps it does not.
    package var crashedBehindTrap: Bool {
        arch == "x86_64" && reason?.signal == "SIGTRAP" && reason?.code == "SI_KERNEL"
    }

    /// Without the captured memory: what is shown and stored for good.
    public var withoutMemory: Event {
        var copy = self
        copy.memory = nil
        for index in copy.threads.indices { copy.threads[index].stack = nil }
        return copy
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case schemaVersion = "schema_version"
        case eventID = "event_id"
        case type, timestamp, platform, arch, level, contexts, errors, release, environment, user, tags, breadcrumbs
        case session, reason, hang, threads
        case debugImages = "debug_images"
        case loss, fingerprint, memory
        case sampleRate = "sample_rate"
        case network, capabilities
    }
}
