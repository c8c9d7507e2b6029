// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A thread's frames.
struct StackView {
    /// A stack overflow has thousands; the middle of more than these is left out.
    static let most = 300

    /// Nil where lines lead nowhere.
    let links: SourceLinks?

    func list(_ frames: [Frame], truncated: Bool) -> HTML {
        guard !frames.isEmpty else { return tag("p", [.className("hint")], "No frames were captured.") }
        var rows = Self.parts(of: frames.prefix(Self.most)).map(part)
        if frames.count > Self.most {
            rows.append(
                tag(
                    "li", [.className("hint")],
                    .text("\(frames.count - Self.most) more frames are in the event's document.")
                ))
        }
        if truncated {
            rows.append(tag("li", [.className("hint")], "The walk ended here, before the stack's end."))
        }
        return tag("ol", [.className("stack"), HTML.Attribute("start", "0")], children: rows)
    }

    /// Frames that follow each other, and whether they are folded: those of others between the program's own, but for the
    /// one that crashed. Where none is known to be the program's own, all are open.
    private static func parts(of frames: ArraySlice<Frame>) -> [(frames: ArraySlice<Frame>, isFolded: Bool)] {
        guard frames.contains(where: { $0.inApp == true }) else { return [(frames, false)] }
        var parts: [(frames: ArraySlice<Frame>, isFolded: Bool)] = []
        var rest = frames
        while let first = rest.first {
            let isOpen = rest.startIndex == frames.startIndex || first.inApp == true
            let end = isOpen ? rest.startIndex + 1 : rest.firstIndex { $0.inApp == true } ?? rest.endIndex
            parts.append((rest[..<end], !isOpen && end - rest.startIndex > 1))
            rest = rest[end...]
        }
        return parts
    }

    private func part(_ frames: ArraySlice<Frame>, isFolded: Bool) -> HTML {
        let rows = frames.map(row)
        guard isFolded else { return .group(rows) }
        let modules = frames.compactMap(\.module).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let names = modules.isEmpty ? "" : " of " + modules.prefix(3).joined(separator: ", ")
        return tag(
            "li", [.className("folded")],
            tag(
                "details", [],
                tag(
                    "summary", [], .text(Words.count(frames.count, "frame") + names + (modules.count > 3 ? ", …" : ""))),
                tag("ol", [.className("inner")], children: rows)))
    }

    private func row(_ frame: Frame) -> HTML {
        var classes = ["frame"]
        if frame.inApp == true { classes.append("app") }
        if frame.trust == .scan { classes.append("guess") }
        if frame.inlined { classes.append("inlined") }
        return tag(
            "li", [.className(classes.joined(separator: " "))],
            tag("div", [.className("name")], tag("code", [], .text(name(frame))), badges(frame)),
            tag("div", [.className("place")], place(frame)), source(frame))
    }

    /// The lines around the frame's own.
    private func source(_ frame: Frame) -> HTML {
        guard let source = frame.sourceContext, let line = frame.line else { return .nothing }
        let rows = source.numbered(line).map { number, text in
            tag(
                "li", number == line ? [.className("line"), HTML.Attribute("aria-current", "true")] : [],
                tag("span", [.className("number")], .text(String(number))), tag("code", [], .text(text)))
        }
        // Long lines scroll, by keyboard too.
        return tag("ol", [.className("source"), HTML.Attribute("tabindex", "0")], children: rows)
    }

    private func name(_ frame: Frame) -> String {
        frame.function ?? frame.symbol ?? frame.instructionAddress.description
    }

    private func badges(_ frame: Frame) -> HTML {
        .group([
            frame.inlined ? tag("span", [.className("hint")], "inlined into the frame below") : .nothing,
            frame.trust == .scan ? tag("span", [.className("badge waiting")], "guess") : .nothing,
            Words.status(frame.status).map { tag("span", [.className("badge missing")], .text($0)) } ?? .nothing,
            .group(frame.notes.map { tag("span", [.className("badge")], .text($0)) }),
        ])
    }

    private func place(_ frame: Frame) -> HTML {
        var parts: [HTML] = []
        if let file = frame.file {
            let line = frame.line.map { ":\($0)" } ?? ""
            let column = frame.line == nil ? "" : frame.column.map { ":\($0)" } ?? ""
            let text = tag("span", [.className("file")], .text(file + line + column))
            let link = links?.address(of: frame)
            parts.append(link.map { tag("a", [.href($0), HTML.Attribute("rel", "noreferrer")], text) } ?? text)
        }
        if let module = frame.module {
            parts.append(tag("span", [], .text(module + (frame.relativeAddress.map { "+\($0)" } ?? ""))))
        }
        parts.append(tag("span", [.className("trust")], .text(Words.trust(frame.trust))))
        return .group(parts)
    }
}
