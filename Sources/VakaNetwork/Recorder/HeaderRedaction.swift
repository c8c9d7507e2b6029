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
            let word = name.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() } ?? ""
            switch word {
            case "link": shortened[name] = link(value)
            case "refresh": shortened[name] = refresh(value)
            default:
                let isAddress = addresses.contains(word)
                shortened[name] = isAddress ? Address(value, keepsAll: false).url : AddressText.shortened(value)
            }
        }
        return shortened
    }

    /// What stands within `<` and `>` is an address.
    private static func link(_ value: String) -> String {
        var told = ""
        var rest = value[...]
        while let bracket = rest.firstIndex(of: "<") {
            let start = rest.index(after: bracket)
            let end = rest[start...].firstIndex(of: ">") ?? rest.endIndex
            told += String(rest[..<start])
            told += Address(String(rest[start..<end]), keepsAll: false).url
            rest = rest[end...]
        }
        return AddressText.shortened(told + String(rest))
    }

    /// What stands behind the seconds is an address, with or without `url=` before it.
    private static func refresh(_ value: String) -> String {
        guard let sign = value.firstIndex(where: { $0 == ";" || $0 == "," }) else {
            return AddressText.shortened(value)
        }
        var rest = value[value.index(after: sign)...].drop { $0.isWhitespace }
        if rest.prefix(3).lowercased() == "url" {
            let behind = rest.dropFirst(3).drop { $0.isWhitespace }
            if behind.first == "=" { rest = behind.dropFirst() }
        }
        let address = rest.drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
        return String(value[..<address.startIndex]) + Address(String(address), keepsAll: false).url
    }
}
