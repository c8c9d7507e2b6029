// SPDX-License-Identifier: Apache-2.0
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
}
