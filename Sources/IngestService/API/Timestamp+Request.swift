// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension Timestamp {
    /// All that RFC 3339 allows: besides what documents use, any offset, a fraction of any length, and small letters. To the
    /// millisecond; nil for anything else.
    init?(ofRequest text: String) {
        guard
            let match = text.wholeMatch(
                of: /([0-9-]{10})[Tt]([0-9:]{8})(?:\.([0-9]+))?([Zz]|([+-])([0-9]{2}):([0-9]{2}))/)
        else { return nil }
        let fraction = ((match.3.map(String.init) ?? "") + "000").prefix(3)
        guard let time = Timestamp(rfc3339: "\(match.1)T\(match.2).\(fraction)Z") else { return nil }
        guard let sign = match.5, let hours = match.6.flatMap({ Int64($0) }),
            let minutes = match.7.flatMap({ Int64($0) })
        else {
            self = time
            return
        }
        guard hours < 24, minutes < 60 else { return nil }
        let offset = (hours * 60 + minutes) * 60_000
        self.init(milliseconds: time.milliseconds + (sign == "-" ? offset : -offset))
    }
}
