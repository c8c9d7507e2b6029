// SPDX-License-Identifier: Apache-2.0

/// Told to the operator where network records come in a version that is not read.
public struct NetworkSchemaDiagnostic: Codable, Hashable, Sendable {
    public static let code = "sdk_network_schema_unsupported"

    public private(set) var code = Self.code
    /// Of at most 32 characters; one that was longer ends with `…`.
    public var receivedVersion: String
    public var supportedVersion: Int
    /// The application that the records are of.
    public var bundleID: String
    /// How many more came since it was told before; left out where it was not.
    public var suppressedCount: Int?

    public init(_ refused: UnsupportedNetworkSchema, bundleID: String, suppressedCount: Int? = nil) {
        receivedVersion = refused.receivedVersion
        supportedVersion = NetworkSchema.supportedVersion
        self.bundleID = bundleID
        self.suppressedCount = suppressedCount
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case code, receivedVersion, supportedVersion
        case bundleID = "bundleId"
        case suppressedCount
    }
}
