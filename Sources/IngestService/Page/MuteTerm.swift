// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// For how long the page mutes an issue; the API knows any term.
enum MuteTerm: String, CaseIterable, Sendable {
    case forever, day, week, often

    private static let (many, hour): (Int, Int64) = (100, 3_600_000)

    var words: String {
        switch self {
        case .forever: "for good"
        case .day: "for a day"
        case .week: "for a week"
        case .often: "until \(Self.many) events in an hour"
        }
    }

    func mute(from now: Timestamp) -> IssueChange.Mute {
        switch self {
        case .forever: .forever
        case .day: .until(Timestamp(milliseconds: now.milliseconds + 24 * Self.hour))
        case .week: .until(Timestamp(milliseconds: now.milliseconds + 7 * 24 * Self.hour))
        case .often: .events(Self.many, window: Self.hour)
        }
    }
}
