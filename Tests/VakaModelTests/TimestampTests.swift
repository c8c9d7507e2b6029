// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel

@Suite struct TimestampTests {
    /// Each millisecond of a second, in several centuries.
    @Test(arguments: [-12_000_000_000_000, -1000, 0, 1_764_490_000_000, 18_000_000_000_000] as [Int64])
    func whatIsWrittenIsRead(second: Int64) {
        let wrong = (second..<second + 1000).filter { milliseconds in
            Timestamp(rfc3339: Timestamp(milliseconds: milliseconds).description)?.milliseconds != milliseconds
        }
        #expect(wrong.isEmpty)
    }

    @Test func allThreeDigitsAreWritten() {
        #expect(Timestamp(milliseconds: 1_764_490_000_001).description == "2025-11-30T08:06:40.001Z")
    }

    /// Some day of each week from 1599 to 2401, at a time of day of its own.
    @Test func timesAreThoseOfFoundation() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let wrong = stride(from: -11_707_000_000_000, to: 13_601_000_000_000 as Int64, by: 86_400_000 * 7 + 3_601_001)
            .filter { milliseconds in
                let date = Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000)
                return Timestamp(milliseconds: milliseconds).description != date.formatted(style)
            }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        "2026-02-29T00:00:00Z", "2026-04-31T00:00:00.000Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:0xZ", "yesterday", "",
    ])
    func whatIsNoTimeIsAsFoundationHasIt(_ text: String) {
        let known = [true, false].compactMap { fractional in
            try? Date.ISO8601FormatStyle(includingFractionalSeconds: fractional).parse(text)
        }
        #expect(Timestamp(rfc3339: text) == known.first.map { Timestamp($0) })
    }

    @Test func leapDaysAndFractionsAreRead() {
        #expect(Timestamp(rfc3339: "2024-02-29T23:59:59.999Z")?.milliseconds == 1_709_251_199_999)
        #expect(Timestamp(rfc3339: "2000-02-29T00:00:00Z")?.milliseconds == 951_782_400_000)
        #expect(Timestamp(rfc3339: "2024-02-29T23:59:59.5Z")?.milliseconds == 1_709_251_199_500)
    }
}
