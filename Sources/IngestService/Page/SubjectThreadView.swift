// SPDX-License-Identifier: Apache-2.0
import EventText
import VakaModel

/// The thread that an event is about, or another that the reader chose.
struct SubjectThreadView {
    /// As text to be copied: more is in the event's text.
    private static let mostCopied = 100

    let event: Event
    let thread: ThreadState?
    let links: SourceLinks?

    var content: HTML {
        guard let thread else { return .nothing }
        return tag(
            "section", [HTML.Attribute("id", "thread")],
            tag("h2", [], .text("\(part(thread)): \(ThreadsView.name(thread))")), back(thread),
            StackView(links: links).list(thread.frames, truncated: thread.framesTruncated), copy(thread))
    }

    private func part(_ thread: ThreadState) -> String {
        if thread.crashed { return "Crashed thread" }
        return event.type == .hang && thread.current == true ? "Hanging thread" : "Thread"
    }

    private func back(_ thread: ThreadState) -> HTML {
        guard let subject = event.subjectThread, subject.id != thread.id else { return .nothing }
        return tag(
            "p", [], tag("a", [.href(ThreadsView.path(event, subject))], .text("Back to \(ThreadsView.name(subject))")))
    }

    private func copy(_ thread: ThreadState) -> HTML {
        guard !thread.frames.isEmpty else { return .nothing }
        let frames = Array(thread.frames.prefix(Self.mostCopied)).map { frame in
            var bare = frame
            bare.sourceContext = nil
            return bare
        }
        let head = "\(part(thread)): \(ThreadsView.name(thread))\n"
        let path = "/events/\(FormCoding.encode(event.eventID))/text"
        return tag(
            "details", [], tag("summary", [], "As text"),
            CopyButton.block("stack-text", head + ReportText.frames(frames)),
            tag("p", [], tag("a", [.href(path)], "The whole event as text")))
    }
}
