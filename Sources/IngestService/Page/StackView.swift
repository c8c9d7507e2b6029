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
        var rows = frames.prefix(Self.most).enumerated().map { row($0.element, index: $0.offset) }
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

    private func row(_ frame: Frame, index: Int) -> HTML {
        var classes = ["frame"]
        if frame.inApp == true { classes.append("app") }
        if frame.trust == .scan { classes.append("guess") }
        return tag(
            "li", [.className(classes.joined(separator: " "))],
            tag("div", [.className("name")], tag("code", [], .text(name(frame))), badges(frame)),
            tag("div", [.className("place")], place(frame)), source(frame))
    }

    /// The lines around the frame's own.
    private func source(_ frame: Frame) -> HTML {
        guard let source = frame.sourceContext, let line = frame.line else { return .nothing }
        let lines = source.pre + [source.line] + source.post
        let rows = zip((line - source.pre.count)..., lines).map { number, text in
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
            frame.inlined ? tag("span", [.className("badge")], "inlined") : .nothing,
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
