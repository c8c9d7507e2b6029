// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The frames of one stack, a line each, with what repeats folded.
struct FramesText {
    private let frames: [Frame]
    private let style: TextStyle

    /// A part that repeats at least this often is shown once.
    private static let foldFrom = 4
    private static let longestPeriod = 8
    /// Source lines shown before and after a frame's own; the document has more.
    private static let linesAround = 2

    init(_ frames: [Frame], style: TextStyle) {
        self.frames = frames
        self.style = style
    }

    var text: String {
        var lines = ""
        var index = 0
        while index < frames.count {
            let (period, repeats) = repetition(at: index)
            if repeats >= Self.foldFrom {
                for offset in 0..<period { lines += line(index + offset) }
                let what = period == 1 ? "the frame above" : "the \(period) frames above"
                lines += style.dim("     … \(what), \(repeats - 1) times more\n")
                index += period * repeats
            } else {
                lines += line(index)
                index += 1
            }
        }
        return lines
    }

    /// The shortest part that repeats from `start` on, and how often it stands there.
    private func repetition(at start: Int) -> (period: Int, repeats: Int) {
        for period in 1...Self.longestPeriod where start + period * Self.foldFrom <= frames.count {
            var end = start + period
            while end < frames.count, same(frames[end], frames[end - period]) { end += 1 }
            let repeats = (end - start) / period
            if repeats >= Self.foldFrom { return (period, repeats) }
        }
        return (1, 1)
    }

    private func same(_ left: Frame, _ right: Frame) -> Bool {
        left.instructionAddress == right.instructionAddress && left.function == right.function
            && left.inlined == right.inlined
    }

    private func line(_ index: Int) -> String {
        let frame = frames[index]
        let number = "\(index)".leftPadded(to: 4)
        let name = ReportText.printable(frame.function ?? frame.symbol ?? unnamed(frame))
        let shown = frame.inApp == true ? style.bold(name) : name
        let place = frame.file.map { file in
            "  \(ReportText.printable(file))" + (frame.line.map { ":\($0)" } ?? "")
                + (frame.column.map { ":\($0)" } ?? "")
        }
        let notes = frame.notes.isEmpty ? "" : ", " + frame.notes.joined(separator: ", ")
        let how = ReportText.printable((frame.inlined ? "inlined" : "\(frame.trust)") + notes)
        return "\(number) \(shown)\(place ?? "")\(style.dim("  \(module(frame))[\(how)]"))\n" + source(index)
    }

    /// The lines around the frame's own, which is marked; not again where the frame above stands at the same place.
    private func source(_ index: Int) -> String {
        let frame = frames[index]
        guard let source = frame.sourceContext, let line = frame.line else { return "" }
        if index > 0, frames[index - 1].file == frame.file, frames[index - 1].line == line,
            frames[index - 1].sourceContext != nil
        {
            return ""
        }
        let lines = source.numbered(line, around: Self.linesAround)
        let width = String(lines.last?.number ?? 0).count
        return lines.map { number, text in
            let isLine = number == line
            let row = "     \(isLine ? ">" : " ") \("\(number)".leftPadded(to: width)) │ \(ReportText.printable(text))"
            return (isLine ? style.bold(row) : style.dim(row)) + "\n"
        }.joined()
    }

    private func unnamed(_ frame: Frame) -> String {
        switch frame.status {
        case FrameStatus.missingImage?: "?? (image missing)"
        case FrameStatus.noModule?: "?? (in no image)"
        default: "??"
        }
    }

    private func module(_ frame: Frame) -> String {
        guard let module = frame.module else { return "\(frame.instructionAddress) " }
        return "\(ReportText.printable(module))" + (frame.relativeAddress.map { " + \($0) " } ?? " ")
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        count < width ? String(repeating: " ", count: width - count) + self : self
    }
}
