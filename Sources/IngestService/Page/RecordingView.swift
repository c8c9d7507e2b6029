// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The last moments on a program's screen, frame by frame. The page's script makes a player of the list; without it, the list
/// is all there.
struct RecordingView {
    static let mostParts = 4
    private static let mostFrames = 40
    /// Elements of all frames together: the last frames are shown first.
    private static let mostDrawings = 8000

    private typealias Shown = RecordingPictures.Shown

    private let shown: [Shown]
    private let end: Timestamp
    private let all: Int
    private let withheldTaps: Int
    private let fault: RecordingFault?

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
        withheldTaps = parts.reduce(0) { $0 + $1.withheldTaps }
        shown = pictures.shown
        self.fault = fault
    }

    var content: HTML {
        guard !shown.isEmpty else { return fault.map(broken) ?? .nothing }
        return tag(
            "section",
            [HTML.Attribute("id", "recording"), .className("recording"), HTML.Attribute("data-recording", "")],
            tag("h2", [], "Last moments on the screen"),
            tag("p", [.className("hint")], .text(words)), fault.map(broken) ?? .nothing,
            tag("ol", [.className("frames")], children: shown.enumerated().map { item($1, number: $0) }))
    }

    private func broken(_ fault: RecordingFault) -> HTML {
        tag("p", [.className("hint")], .text("A part of the recording cannot be shown: \(fault)."))
    }

    private var words: String {
        var words = "\(Words.count(shown.count, "frame"))"
        if shown.count < all { words += " of \(all), the last" }
        if shown.count < min(all, Self.mostFrames) {
            words += ": together they have no more than \(Self.mostDrawings) elements"
        }
        words += ". Filled boxes are masked: what they hold was never sent."
        if withheldTaps > 0 { words += " \(Words.count(withheldTaps, "tap")) on such boxes are not told." }
        return words
    }

    private func item(_ shown: Shown, number: Int) -> HTML {
        let frame = shown.picture.frame
        let before = Double(end.milliseconds - shown.at.milliseconds) / 1000
        let tenths = Int((min(max(before, -99_999), 99_999) * 10).rounded())
        let time = "\(abs(tenths) / 10).\(abs(tenths) % 10) s \(tenths >= 0 ? "before" : "after")"
        let marks = (frame.isNewScreen ? ", a new screen" : "") + (frame.isTruncated ? ", not whole" : "")
        let taps = shown.taps.isEmpty ? "" : ", " + Words.count(shown.taps.count, "tap")
        return tag(
            "li", [HTML.Attribute("data-at", String(shown.at.milliseconds))],
            tag(
                "figure", [], RecordingDrawingView(shown.picture, taps: shown.taps).content,
                tag("figcaption", [], .text("Frame \(number + 1): \(time)\(marks)\(taps)"))))
    }
}
