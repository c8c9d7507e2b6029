// SPDX-License-Identifier: Apache-2.0

/// What a session can tell: the payload of an item of the kind `capabilities`. A later one of the session replaces it.
public struct CapabilityReport: Codable, Hashable, Sendable {
    public var timestamp: Timestamp
    /// Nil of a run without sessions.
    public var session: String?
    public var release: String?
    public var environment: String?
    /// In the order in which they are shown.
    public var capabilities: [CapabilityDescriptor]

    public init(
        timestamp: Timestamp, session: String? = nil, release: String? = nil, environment: String? = nil,
        capabilities: [CapabilityDescriptor]
    ) {
        self.timestamp = timestamp
        self.session = session
        self.release = release
        self.environment = environment
        self.capabilities = capabilities
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case timestamp, session, release, environment, capabilities
    }
}

extension CapabilityReport: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var timestamp: Timestamp?
        var capabilities: [CapabilityDescriptor]?
        self.init(timestamp: Timestamp(milliseconds: 0), capabilities: [])
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .timestamp: timestamp = try json.value()
            case .session: session = try json.optional()
            case .release: release = try json.optional()
            case .environment: environment = try json.optional()
            case .capabilities: capabilities = try json.value()
            }
        }
        self.timestamp = try json.require(timestamp, CodingKeys.timestamp)
        self.capabilities = try json.require(capabilities, CodingKeys.capabilities)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.capabilities, capabilities)
            try json.memberIfKnown(CodingKeys.environment, environment)
            try json.memberIfKnown(CodingKeys.release, release)
            try json.memberIfKnown(CodingKeys.session, session)
            try json.member(CodingKeys.timestamp, timestamp)
        }
    }
}
