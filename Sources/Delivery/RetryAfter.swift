// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
package import VakaModel

/// The `Retry-After` header of RFC 9110: seconds, or a date.
package enum RetryAfter {
    /// A longer wait is not believed.
    package static let longest = Duration.seconds(24 * 3600)

    /// The wait it asks for; nil where it is neither.
    package static func parse(_ text: String, now: Timestamp) -> Duration? {
        if let seconds = UInt64(text) { return min(.seconds(Int64(clamping: min(seconds, 1 << 40))), longest) }
        guard let date = date(text) else { return nil }
        return max(.zero, min(.milliseconds(date.milliseconds - now.milliseconds), longest))
    }

    /// The fixed-length form, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Timestamp? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int32(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = Int32(words[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int32($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        var parts = tm()
        parts.tm_year = year - 1900
        parts.tm_mon = Int32(month)
        parts.tm_mday = day
        parts.tm_hour = clock[0]
        parts.tm_min = clock[1]
        parts.tm_sec = clock[2]
        return Timestamp(milliseconds: Int64(timegm(&parts)) * 1000)
    }
}
