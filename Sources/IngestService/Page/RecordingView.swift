// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What was on a program's screen, frame by frame: the last moments before an event, or a part of a recording from its beginning.
/// The page's script makes a player of the list; without it, the list is all there.
struct RecordingView {
    /// Of an event.
    static let mostParts = 4
    private static let mostFrames = 40
    /// Of a part of a recording.
    private static let mostOfPart = 60
    /// Elements of all frames together: the last frames are shown first.
    private static let mostDrawings = 8000

    private typealias Shown = RecordingPictures.Shown

    private let shown: [Shown]
    /// When the event was; nil for a part of a recording.
    private let end: Timestamp?
    private let start: Timestamp
    /// The frame of a part that is shown first.
    private let first: Int
    private let all: Int
    private let withheldTaps: Int
    private let fault: RecordingFault?
    /// Where a part goes on.
    let next: Int?
    /// To play all of it.
    private let recordingID: String?

    /// `end` is when the event was.
    init(_ parts: [Recording], end: Timestamp) {
        self.end = end
        var pictures = RecordingPictures(most: Self.mostFrames, mostDrawings: Self.mostDrawings)
        var fault: RecordingFault?
        for part in parts {
            do {
                try pictures.add(part)
            } catch let error as RecordingFault {
                fault = error
            } catch {
                continue
            }
        }
        all = pictures.all
        first = 0
        start = end
        next = nil
        recordingID = parts.last?.recordingID
        withheldTaps = parts.reduce(0) { $0 + $1.withheldTaps }
        shown = pictures.shown
        self.fault = fault
    }

    /// A part from a frame on, as much of it as a page has room for.
    init(_ part: Recording, from frame: Int) {
        end = nil
        start = part.started
        all = part.frames.count
        first = frame
        withheldTaps = part.withheldTaps
        recordingID = nil
        do {
            let page = try RecordingPictures.page(
                of: part, from: frame, most: Self.mostOfPart, mostDrawings: Self.mostDrawings)
            shown = page.shown
            next = page.next
            fault = nil
        } catch {
            shown = []
            next = nil
            fault = error
        }
    }

    var content: HTML {
        guard !shown.isEmpty else {
            return fault.map(broken) ?? (end == nil ? tag("p", [], "There are no frames.") : .nothing)
        }
        return tag(
            "section",
            [
                HTML.Attribute("id", "recording"), .className("recording"),
                // Whether the player begins with the last frame.
                HTML.Attribute("data-recording", end == nil ? "first" : "last"),
            ],
            tag("h2", [], end == nil ? "On the screen" : "Last moments on the screen"),
            tag("p", [.className("hint")], .text(words)), whole, fault.map(broken) ?? .nothing,
            tag("ol", [.className("frames")], children: shown.enumerated().map { item($1, number: $0) }))
    }

    private var whole: HTML {
        guard let recordingID else { return .nothing }
        return tag(
            "p", [], tag("a", [.href("/recordings/" + FormCoding.encode(recordingID))], "The whole recording"))
    }

    private func broken(_ fault: RecordingFault) -> HTML {
        tag("p", [.className("hint")], .text("A part of the recording cannot be shown: \(fault)."))
    }

    private var words: String {
        var words = "\(Words.count(shown.count, "frame"))"
        let most = end == nil ? Self.mostOfPart : Self.mostFrames
        if shown.count < all { words += " of \(all)" + (end == nil ? ", from frame \(first + 1) on" : ", the last") }
        if end == nil ? next != nil && shown.count < most : shown.count < min(all, most) {
            words += ": together they have no more than \(Self.mostDrawings) elements"
        }
        words += ". Filled boxes are masked: what they hold was never sent."
        if withheldTaps > 0 {
            words += " \(Words.count(withheldTaps, "tap")) on such boxes \(withheldTaps == 1 ? "is" : "are") not told."
        }
        return words
    }

    private func item(_ shown: Shown, number: Int) -> HTML {
        let frame = shown.picture.frame
        let place = number + (end == nil ? first : 0)
        let time = time(shown.at)
        let marks = (frame.isNewScreen ? ", a new screen" : "") + (frame.isTruncated ? ", not whole" : "")
        let taps = shown.taps.isEmpty ? "" : ", " + Words.count(shown.taps.count, "tap")
        return tag(
            "li", [HTML.Attribute("data-at", String(shown.at.milliseconds))],
            tag(
                "figure", [], RecordingDrawingView(shown.picture, taps: shown.taps).content,
                tag("figcaption", [], .text("Frame \(place + 1): \(time)\(marks)\(taps)"))))
    }

    /// Before or after the event, or since the part began.
    private func time(_ time: Timestamp) -> String {
        let since = Double(time.milliseconds - (end ?? start).milliseconds) / 1000
        let tenths = Int((min(max(since, -99_999), 99_999) * 10).rounded())
        let seconds = "\(abs(tenths) / 10).\(abs(tenths) % 10) s"
        return end == nil ? seconds : seconds + (tenths <= 0 ? " before" : " after")
    }
}
