// SPDX-License-Identifier: Apache-2.0

/// Whether something can be captured. A word that is unknown here is read as `UNKNOWN`.
public struct CapabilityState: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.words.contains(rawValue) ? rawValue : "UNKNOWN" }

    private static let words: Set<String> = ["SUPPORTED", "DISABLED", "NOT_INITIALIZED", "UNSUPPORTED"]

    /// Registered and capturing.
    public static let supported = CapabilityState(rawValue: "SUPPORTED")
    public static let disabled = CapabilityState(rawValue: "DISABLED")
    public static let notInitialized = CapabilityState(rawValue: "NOT_INITIALIZED")
    public static let unsupported = CapabilityState(rawValue: "UNSUPPORTED")
    public static let unknown = CapabilityState(rawValue: "UNKNOWN")
}

/// Why nothing is captured.
public struct CapabilityReason: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The host has not registered it.
    public static let hostOptIn = CapabilityReason(rawValue: "HOST_OPT_IN")
    public static let networkCaptureDisabled = CapabilityReason(rawValue: "NETWORK_CAPTURE_DISABLED")
    public static let networkCaptureNotInitialized = CapabilityReason(rawValue: "NETWORK_CAPTURE_NOT_INITIALIZED")
    public static let noAdapter = CapabilityReason(rawValue: "NO_ADAPTER")
    public static let notInitialized = CapabilityReason(rawValue: "NOT_INITIALIZED")
}

/// Who applies a fault rule that matched.
public struct FaultEnforcement: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The SDK.
    public static let enforced = FaultEnforcement(rawValue: "ENFORCED")
    /// The host, which is told.
    public static let evaluateOnly = FaultEnforcement(rawValue: "EVALUATE_ONLY")
    public static let none = FaultEnforcement(rawValue: "NONE")
}

extension FaultEnforcement: DefaultProviding {
    public static var absent: FaultEnforcement { .none }
}

/// What a fault rule does.
public struct FaultAction: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let latency = FaultAction(rawValue: "latency")
    public static let error = FaultAction(rawValue: "error")
    public static let closeConnection = FaultAction(rawValue: "closeConnection")
    public static let status = FaultAction(rawValue: "status")
    public static let response = FaultAction(rawValue: "response")
    public static let dropBytes = FaultAction(rawValue: "dropBytes")
}

extension CapabilityState: JSONReadable, JSONWritable {}
extension CapabilityReason: JSONReadable, JSONWritable {}
extension FaultEnforcement: JSONReadable, JSONWritable {}
extension FaultAction: JSONReadable, JSONWritable {}
