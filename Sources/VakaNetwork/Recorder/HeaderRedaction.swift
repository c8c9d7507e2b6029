// SPDX-License-Identifier: Apache-2.0

/// Takes credentials out of headers.
public enum HeaderRedaction {
    /// Stands in the place of a value.
    public static let mark = "<redacted>"
    /// In lower case.
    public static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token",
    ]

    /// The headers, with the values of those that carry credentials replaced; names count in any case.
    public static func redact(_ headers: [String: String]) -> [String: String] {
        var redacted = headers
        for name in headers.keys where names.contains(name.lowercased()) { redacted[name] = mark }
        return redacted
    }
}
