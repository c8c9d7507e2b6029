// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Instructions around where a thread was, its registers, and the memory that they point to.
struct MachinePage {
    let eventID: String
    let title: String
    let state: MachineState

    var content: [HTML] {
        [
            tag("h1", [], .text("Thread \(state.thread): instructions, registers, memory")),
            tag("p", [], tag("a", [.href("/events/" + FormCoding.encode(eventID))], .text(title))),
            instructions, registers, memory,
        ]
    }

    private var instructions: HTML {
        guard !state.instructions.isEmpty else {
            return Self.missing("Instructions", state.whyNoInstructions ?? "they are not known")
        }
        var rows: [HTML] = []
        var place: String?
        for line in state.instructions {
            let here = Self.place(line)
            if let here, here != place { rows.append(tag("li", [.className("mark")], .text(here))) }
            place = here ?? place
            rows.append(row(line))
        }
        let from =
            state.instructionsFrom == "memory" ? "As captured from the process." : "As the image's file has them."
        return tag(
            "section", [], tag("h2", [], "Instructions"),
            tag("ol", [.className("code"), HTML.Attribute("tabindex", "0")], children: rows),
            tag(
                "p", [.className("hint")],
                .text(
                    from
                        + " Those before the marked one are decoded backwards: of the ways that lead to it, the longest."
                )))
    }

    private func row(_ line: MachineState.Line) -> HTML {
        tag(
            "li", line.isCurrent ? [.className("current"), HTML.Attribute("aria-current", "true")] : [],
            tag("span", [.className("address")], .text(line.address.description)),
            tag("span", [.className("bytes")], .text(line.bytes)), tag("code", [], .text(line.text)),
            line.target.map { tag("span", [.className("target")], .text("→ " + $0)) } ?? .nothing)
    }

    /// The function and line that instructions belong to.
    private static func place(_ line: MachineState.Line) -> String? {
        guard let function = line.function else { return nil }
        return function + (line.file.map { "  " + $0 + (line.line.map { ":\($0)" } ?? "") } ?? "")
    }

    private var registers: HTML {
        guard !state.registers.isEmpty else { return Self.missing("Registers", "they were not captured") }
        let rows = state.registers.map { register in
            PageTable.row(
                .text(register.name), tag("code", [], .text(register.value.description)), .text(register.place ?? ""))
        }
        return .group([
            PageTable(heads: ["Register", "Value", "What lies there"], rows: rows).under("Registers"),
            state.pointersOnly ? Self.pointersOnly : .nothing,
        ])
    }

    /// Said of a thread whose texts were left out.
    static let pointersOnly = tag(
        "p", [.className("hint")],
        "Pointers only: registers and words of the stack that may hold texts were left out by the program.")

    private var memory: HTML {
        guard !state.memory.isEmpty else { return Self.missing("Memory", state.whyNoMemory ?? "it is not known") }
        return tag(
            "section", [], tag("h2", [], "Memory"),
            .group(state.memory.map { MemoryDump(region: $0, state: state).content }))
    }

    private static func missing(_ title: String, _ why: String) -> HTML {
        tag(
            "section", [], tag("h2", [], .text(title)),
            tag("ul", [.className("loss")], tag("li", [], .text("Not shown: \(why)."))))
    }

    /// `GET /events/{id}/machine`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let summary = try IssueHandlers.findEvent(service, request).summary
        let page = MachinePage(
            eventID: summary.eventID, title: summary.title, state: try MachineHandlers.state(service, request))
        return WebPage(request, title: "Machine", section: .issues, content: page.content).response()
    }
}
