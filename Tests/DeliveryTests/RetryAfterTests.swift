// SPDX-License-Identifier: Apache-2.0
import Delivery
import Testing
import VakaModel

@Suite struct RetryAfterTests {
    let now = Timestamp(rfc3339: "2026-01-31T12:00:00Z")!

    @Test(
        arguments: [
            ("0", 0), ("17", 17), ("Sat, 31 Jan 2026 12:02:00 GMT", 120), ("Sat, 31 Jan 2026 11:00:00 GMT", 0),
            ("99999999999999999999", nil), ("999999999", 86_400), ("", nil), ("-5", nil), ("soon", nil),
            ("Sat, 99 Jan 2026 12:02:00 GMT", nil), ("Sat, 31 Foo 2026 12:02:00 GMT", nil),
        ] as [(String, Int64?)]) func parse(text: String, seconds: Int64?)
    {
        #expect(RetryAfter.parse(text, now: now) == seconds.map { .seconds($0) })
    }

    @Test func backoffDoublesFromFiveSecondsToFiveMinutes() {
        var backoff = Backoff()
        let nominal = [5, 10, 20, 40, 80, 160, 300, 300, 300]
        for seconds in nominal {
            let wait = backoff.next()
            #expect(wait >= .seconds(seconds) && wait <= .seconds(seconds) * 1.25)
        }
        #expect(backoff.next(asked: .seconds(7)) >= .seconds(7))
        backoff.reset()
        #expect(backoff.next() < .seconds(7))
    }
}
