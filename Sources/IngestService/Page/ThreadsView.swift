// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The threads beside the one that an event is about: each by a line, the first with their frames. The frames of all are a link
/// away, so that a page of many threads stays small.
struct ThreadsView {
    /// So many frames are on the page, folded, beside those of the thread that is shown.
    static let mostFrames = 300
    static let most = 1000

    let event: Event
    /// The thread that is shown in full, and not again here.
    let shown: ThreadState?
    let links: SourceLinks?

    var content: HTML {
        let threads = event.threads.filter { $0.id != shown?.id }
        guard !threads.isEmpty else { return .nothing }
        var room = Self.mostFrames
        let rows = threads.prefix(Self.most).map { thread in
            let fits = thread.frames.count <= room
            if fits { room -= thread.frames.count }
            return tag("li", [], fits ? folded(thread) : link(thread))
        }
        let more = threads.count - rows.count
        return tag(
            "section", [HTML.Attribute("id", "threads")],
            tag("h2", [], .text("Other threads (\(threads.count))")),
            tag("ul", [.className("threads")], children: rows),
            more > 0 ? tag("p", [.className("hint")], .text("\(more) more are in the event's text.")) : .nothing)
    }

    private func folded(_ thread: ThreadState) -> HTML {
        guard !thread.frames.isEmpty else { return tag("span", [.className("line")], line(thread)) }
        return tag(
            "details", [], tag("summary", [], line(thread)),
            StackView(links: links).list(thread.frames, truncated: thread.framesTruncated))
    }

    private func link(_ thread: ThreadState) -> HTML {
        tag("a", [.className("line"), .href(Self.path(event, thread))], line(thread))
    }

    private func line(_ thread: ThreadState) -> HTML {
        .group([
            tag("b", [], .text(Self.name(thread))),
            tag("span", [.className("hint")], .text(Words.count(thread.frames.count, "frame"))),
            thread.crashed ? tag("span", [.className("badge missing")], "crashed") : .nothing,
            Self.place(thread).map { tag("code", [.className("top")], .text($0)) } ?? .nothing,
        ])
    }

    /// Where a reader would look first: the innermost frame of the program's own, else the innermost.
    private static func place(_ thread: ThreadState) -> String? {
        let frame = thread.frames.first { $0.inApp == true } ?? thread.frames.first
        return frame.map { $0.function ?? $0.symbol ?? $0.module ?? $0.instructionAddress.description }
    }

    static func name(_ thread: ThreadState) -> String {
        thread.name.map { "\($0) (\(thread.id))" } ?? String(thread.id)
    }

    static func path(_ event: Event, _ thread: ThreadState) -> String {
        "/events/\(FormCoding.encode(event.eventID))?thread=\(thread.id)#thread"
    }
}
