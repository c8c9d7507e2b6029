// SPDX-License-Identifier: Apache-2.0

/// A moment of the years 1600 to 9999 in the form that documents use, `2026-01-31T12:00:00.000Z`, the fraction being
/// three digits or absent. All else takes the long way.
struct CivilTime {
    private static let years: ClosedRange<Int64> = 1600...9999
    private static let day: Int64 = 86_400_000

    private var year: Int64
    private var month: Int64
    private var dayOfMonth: Int64
    private var millisecondOfDay: Int64

    init?(milliseconds: Int64) {
        let days = milliseconds.dividedDown(by: Self.day)
        millisecondOfDay = milliseconds - days * Self.day
        // Years begin in March here, so that a leap day is a year's last; 400 years have 146,097 days.
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        dayOfMonth = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        guard Self.years.contains(year) else { return nil }
    }

    init?(text: String) { self.init(text: Array(text.utf8)[...]) }

    init?(text: ArraySlice<UInt8>) {
        guard text.count == 20 || text.count == 24 else { return nil }
        // From zero, as the places below are.
        let bytes = text.startIndex == 0 ? text : Array(text)[...]
        guard bytes.last == UInt8(ascii: "Z") else { return nil }
        for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] as [(Int, Unicode.Scalar)] {
            guard bytes[index] == UInt8(ascii: mark) else { return nil }
        }
        guard bytes.count == 20 || bytes[19] == UInt8(ascii: ".") else { return nil }
        let fraction = bytes.count == 24 ? Self.number(bytes[20..<23]) : 0
        guard let year = Self.number(bytes[0..<4]), Self.years.contains(year), let month = Self.number(bytes[5..<7]),
            (1...12).contains(month), let dayOfMonth = Self.number(bytes[8..<10]), (1...31).contains(dayOfMonth),
            let hour = Self.number(bytes[11..<13]), hour < 24, let minute = Self.number(bytes[14..<16]), minute < 60,
            let second = Self.number(bytes[17..<19]), second < 60, let fraction
        else { return nil }
        self.year = year
        self.month = month
        self.dayOfMonth = dayOfMonth
        millisecondOfDay = ((hour * 60 + minute) * 60 + second) * 1000 + fraction
        // The 31st of a month that has 30 days is none.
        guard let same = CivilTime(milliseconds: milliseconds), same.dayOfMonth == dayOfMonth else { return nil }
    }

    var milliseconds: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.dividedDown(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era * 146_097 + dayOfEra - 719_468) * Self.day + millisecondOfDay
    }

    var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(to bytes: inout [UInt8]) {
        let second = millisecondOfDay / 1000
        Self.write(year / 100, "", to: &bytes)
        Self.write(year % 100, "-", to: &bytes)
        Self.write(month, "-", to: &bytes)
        Self.write(dayOfMonth, "T", to: &bytes)
        Self.write(second / 3600, ":", to: &bytes)
        Self.write(second / 60 % 60, ":", to: &bytes)
        Self.write(second % 60, ".", to: &bytes)
        let fraction = millisecondOfDay % 1000
        bytes.append(Self.digit(fraction / 100))
        Self.write(fraction % 100, "Z", to: &bytes)
    }

    /// Two digits, and what follows them.
    private static func write(_ number: Int64, _ end: StaticString, to bytes: inout [UInt8]) {
        bytes.append(digit(number / 10))
        bytes.append(digit(number % 10))
        if end.utf8CodeUnitCount > 0 { bytes.append(end.utf8Start[0]) }
    }

    private static func digit(_ number: Int64) -> UInt8 { UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number) }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }
}

extension Int64 {
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
