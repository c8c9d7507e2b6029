// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// One part of a recording, to be played, and the way to the others.
struct RecordingPage {
    let summary: RecordingSummary
    let stored: StoredRecording
    /// Nil where it cannot be read.
    let part: Recording?
    let firstFrame: Int
    /// Numbers of the parts beside this one.
    let before: Int?
    let after: Int?

    var content: [HTML] {
        guard let part else {
            return [
                tag("h1", [], "Recording"), FactsTable.of(facts), steps(nil), tag("p", [], "This part cannot be read."),
            ]
        }
        let view = RecordingView(part, from: firstFrame)
        return [tag("h1", [], "Recording"), FactsTable.of(facts), steps(view.next), view.content]
    }

    private var facts: [(String, HTML)] {
        var rows: [(String, HTML)] = [
            ("Recorded from", Words.time(summary.started)),
            ("For", .text(Words.span(max(0, summary.ended.milliseconds - summary.started.milliseconds)))),
            ("Kept of it", .text("\(Words.count(summary.parts, "part")), \(Words.count(summary.frames, "frame"))")),
        ]
        if let part {
            rows.append(("Texts", .text(Self.words(part.privacy))))
        }
        if let session = summary.sessionID {
            rows.append(
                ("Session", tag("a", [.href(RecordingListPage.address(session: session))], .text(session))))
        }
        if let user = part?.userID { rows.append(("User", .text(user))) }
        if let release = summary.release { rows.append(("Release", .text(release))) }
        if let environment = part?.environment { rows.append(("Environment", .text(environment))) }
        if let event = stored.eventID ?? summary.eventID {
            rows.append(
                ("Event", tag("a", [.href("/events/" + FormCoding.encode(event))], .text(event))))
        }
        return rows
    }

    private static func words(_ privacy: RecordingPrivacy) -> String {
        switch privacy {
        case .inputs: "all but what is typed"
        case .none: "all that are not masked"
        default: "none but of what is unmasked"
        }
    }

    private func steps(_ next: Int?) -> HTML {
        let address = "/recordings/" + FormCoding.encode(summary.recordingID)
        func step(_ part: Int?, _ words: String, frame: Int? = nil) -> HTML {
            guard let part else { return .nothing }
            let rest = frame.map { "&frame=\($0)" } ?? ""
            return tag("a", [.href("\(address)?part=\(part)\(rest)")], .text(words))
        }
        return tag(
            "nav", [.className("steps"), HTML.Attribute("aria-label", "Parts of the recording")],
            step(before, "← Part before"), step(firstFrame > 0 ? stored.part : nil, "Beginning of this part"),
            step(next.map { _ in stored.part }, "More of this part →", frame: next), step(after, "Next part →"))
    }
}
