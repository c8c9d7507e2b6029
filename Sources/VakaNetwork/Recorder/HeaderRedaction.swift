// SPDX-License-Identifier: Apache-2.0
import Vaka

/// Takes credentials out of headers.
public enum HeaderRedaction {
    /// Stands in the place of a value.
    public static let mark = "<redacted>"
    /// In lower case.
    public static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token",
    ]

    /// The headers, with the values of those that carry credentials replaced; names count in any case, and with white space
    /// around them.
    public static func redact(_ headers: [String: String]) -> [String: String] {
        var redacted = headers
        for name in headers.keys where isCredential(name) { redacted[name] = mark }
        return redacted
    }

    private static func isCredential(_ name: String) -> Bool {
        if names.contains(name.lowercased()) { return true }
        guard name.first?.isWhitespace == true || name.last?.isWhitespace == true else { return false }
        let words = name.split(whereSeparator: \.isWhitespace)
        return words.count == 1 && names.contains(words[0].lowercased())
    }

    /// Their values are addresses, also where they name no host.
    private static let addresses: Set<String> = ["location", "content-location", "referer"]

    /// The headers, with the addresses in them without user, password, query and fragment.
    static func shortened(_ headers: [String: String]) -> [String: String] {
        var shortened = headers
        for (name, value) in headers {
            let isAddress = addresses.contains(name.lowercased())
            shortened[name] = isAddress ? Address(value, keepsAll: false).url : AddressText.shortened(value)
        }
        return shortened
    }
}
