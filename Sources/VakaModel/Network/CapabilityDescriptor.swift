// SPDX-License-Identifier: Apache-2.0

/// What the SDK can tell of one family of things, and why it does not where it does not.
public struct CapabilityDescriptor: Codable, Hashable, Sendable {
    /// Of the family, as `network.transport.urlsession`.
    public var id: String
    public var state: CapabilityState
    /// Left out where it is `SUPPORTED`.
    public var reason: CapabilityReason?
    @Defaulted public var faultEnforcement: FaultEnforcement
    /// What an `ENFORCED` transport applies; any other action is recorded only.
    @Defaulted public var faultActions: [FaultAction]

    public init(
        id: String, state: CapabilityState, reason: CapabilityReason? = nil,
        faultEnforcement: FaultEnforcement = .none, faultActions: [FaultAction] = []
    ) {
        self.id = id
        self.state = state
        self.reason = reason
        self.faultEnforcement = faultEnforcement
        self.faultActions = faultActions
    }

    /// Every key that is written, in the order of the properties.
    public static var wireKeys: [String] { CodingKeys.allCases.map(\.rawValue) }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case id, state, reason, faultEnforcement, faultActions
    }
}

extension CapabilityDescriptor: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var id: String?
        var state: CapabilityState?
        self.init(id: "", state: .unknown)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .id: id = try json.value()
            case .state: state = try json.value()
            case .reason: reason = try json.optional()
            case .faultEnforcement: faultEnforcement = try json.defaulted()
            case .faultActions: faultActions = try json.defaulted()
            }
        }
        self.id = try json.require(id, CodingKeys.id)
        self.state = try json.require(state, CodingKeys.state)
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.faultActions, faultActions)
            try json.member(CodingKeys.faultEnforcement, faultEnforcement)
            try json.member(CodingKeys.id, id)
            try json.memberIfKnown(CodingKeys.reason, reason)
            try json.member(CodingKeys.state, state)
        }
    }
}
