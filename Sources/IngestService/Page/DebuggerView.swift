// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// How to go on in a debugger.
struct DebuggerView {
    let event: Event
    let memory: MemoryState
    let project: String
    /// Of the service.
    let url: String
    let mayDownload: Bool

    var content: HTML {
        guard event.threads.contains(where: { !$0.registers.isEmpty }) else { return .nothing }
        return tag(
            "section", [], tag("h2", [], "In a debugger"),
            tag(
                "details", [], tag("summary", [], "A core file for gdb and lldb"), download,
                tag("p", [.className("hint")], .text(stacks)),
                tag("p", [], "With a token, which also gets the debug images:"),
                CopyButton.block("debugger-commands", commands)))
    }

    private var download: HTML {
        guard mayDownload else {
            return tag("p", [], "A core file holds captured memory: members of the project may download it.")
        }
        return tag(
            "p", [], tag("a", [.href("/events/\(FormCoding.encode(event.eventID))/core")], "Download the core file"))
    }

    private var stacks: String {
        switch memory {
        case .kept where event.threads.contains { $0.pointersOnly == true }:
            "It has what is a pointer of every thread's registers and stack. The rest was left out: 0 in registers, 0xfe in stacks."
        case .kept: "It has every thread's registers, and the captured memory of stacks."
        case .none: "No memory was captured: debuggers show each thread's innermost frame only."
        case .dropped, .expired, .givenUp:
            "The captured memory is no longer kept: debuggers show each thread's innermost frame only. The frames here were "
                + "found while it was there."
        }
    }

    /// Which lldb does not ask for by itself.
    private var program: String {
        guard let buildID = event.debugImages.first?.buildID else { return "" }
        return " \"$(debuginfod-find executable \(buildID))\""
    }

    private var commands: String {
        let parts = url.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        let host = parts.count == 2 ? parts[1].drop { $0 == "/" } : ""
        let path =
            "\(url)/api/v1/projects/\(FormCoding.encode(project))/events/\(FormCoding.encode(event.eventID))/core"
        return """
            curl -fo core -H "Authorization: Bearer $VAKA_TOKEN" \(path)
            export DEBUGINFOD_URLS="\(parts.first ?? "http:")//x:$VAKA_TOKEN@\(host)/"
            gdb -iex 'set debuginfod enabled on' -core core -ex bt
            lldb\(program) --core core
            """
    }
}
