// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One frame of a recording as a drawing.
struct RecordingDrawingView {
    /// Texts that are read out.
    private static let longestWords = 400
    private static let largestFont = 16

    private let picture: RecordingReplay.Picture
    private let taps: [RecordingTap]

    init(_ picture: RecordingReplay.Picture, taps: [RecordingTap]) {
        self.picture = picture
        self.taps = taps
    }

    var content: HTML {
        let (width, height) = (max(1, picture.frame.width), max(1, picture.frame.height))
        return tag(
            "svg",
            [
                .className("screen"), HTML.Attribute("viewBox", "0 0 \(width) \(height)"),
                HTML.Attribute("role", "img"), HTML.Attribute("aria-label", words),
            ],
            children: picture.drawings.flatMap(draw)
                + taps.map { tap in
                    tag(
                        "circle",
                        [
                            .className("tap"), HTML.Attribute("cx", String(tap.x)), HTML.Attribute("cy", String(tap.y)),
                            HTML.Attribute("r", "12"),
                        ])
                })
    }

    private func draw(_ drawing: RecordingDrawing) -> [HTML] {
        var names = [Self.style(drawing)]
        if drawing.marks.contains(.focused) { names.append("focused") }
        if drawing.marks.contains(.disabled) { names.append("disabled") }
        let box = tag(
            "rect",
            [
                .className(names.joined(separator: " ")), HTML.Attribute("x", String(drawing.x)),
                HTML.Attribute("y", String(drawing.y)), HTML.Attribute("width", String(drawing.width)),
                HTML.Attribute("height", String(drawing.height)),
            ])
        guard !drawing.marks.contains(.masked), let text = drawing.text else { return [box] }
        let size = max(6, min(Self.largestFont, Int(drawing.height) * 6 / 10))
        let most = max(1, Int(drawing.width) * 2 / size)
        let cut = text.count > most ? text.prefix(most - 1) + "…" : text[...]
        return [
            box,
            tag(
                "text",
                [
                    HTML.Attribute("x", String(Int(drawing.x) + 4)),
                    HTML.Attribute("y", String(Int(drawing.y) + (Int(drawing.height) + size * 7 / 10) / 2)),
                    HTML.Attribute("font-size", String(size)),
                ], .text(String(cut))),
        ]
    }

    private static func style(_ drawing: RecordingDrawing) -> String {
        if drawing.marks.contains(.masked) { return "masked" }
        switch drawing.kind {
        case .button, .link, .checkbox, .radioButton, .toggle, .slider, .comboBox, .tab, .menuItem: return "control"
        case .textField, .textArea, .searchField: return "entry"
        case .image: return "image"
        case .text: return "words"
        default: return drawing.marks.contains(.withheld) ? "words" : "place"
        }
    }

    /// What the drawing shows, for those who do not see it.
    private var words: String {
        let masked = picture.drawings.count { $0.marks.contains(.masked) }
        var words = "\(Words.count(picture.drawings.count, "element")), \(masked) of them masked"
        var separator = ": "
        for drawing in picture.drawings where !drawing.marks.contains(.masked) {
            guard let text = drawing.text else { continue }
            words += "\(separator)\(drawing.kind) “\(text)”"
            separator = ", "
            guard words.utf8.count < Self.longestWords else { break }
        }
        return String(words.prefix(Self.longestWords))
    }
}
