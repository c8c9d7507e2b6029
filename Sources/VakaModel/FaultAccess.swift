// SPDX-License-Identifier: Apache-2.0

/// What the crashed code tried to do at the fault address.
public struct FaultAccess: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let read = FaultAccess(rawValue: "read")
    public static let write = FaultAccess(rawValue: "write")
    public static let execute = FaultAccess(rawValue: "execute")
}
