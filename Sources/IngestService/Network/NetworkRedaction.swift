// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Takes credentials out of headers once more: senders have done it, or should have.
enum NetworkRedaction {
    static let mark = "<redacted>"
    static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token",
    ]

    static func redacted(_ record: NetworkRequestEvent) -> NetworkRequestEvent {
        var record = record
        record.requestHeaders = record.requestHeaders.map(redacted)
        record.responseHeaders = record.responseHeaders.map(redacted)
        return record
    }

    private static func redacted(_ values: [String: String]) -> [String: String] {
        var values = values
        for name in values.keys where isCredential(name) { values[name] = mark }
        return values
    }

    /// Names count in any case, and with white space around them.
    private static func isCredential(_ name: String) -> Bool {
        if headers.contains(name.lowercased()) { return true }
        guard name.first?.isWhitespace == true || name.last?.isWhitespace == true else { return false }
        let words = name.split(whereSeparator: \.isWhitespace)
        return words.count == 1 && headers.contains(words[0].lowercased())
    }
}
