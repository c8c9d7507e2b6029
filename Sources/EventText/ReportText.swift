// SPDX-License-Identifier: Apache-2.0
import DebugImages
package import VakaModel

/// A symbolicated report as a person reads it.
package struct ReportText {
    let event: Event
    let style: TextStyle
    private let service: String?

    /// - Parameter service: the address of the service, for the commands that are named.
    package init(_ event: Event, style: TextStyle = .plain, service: String? = nil) {
        self.event = event
        self.style = style
        self.service = service
    }

    package var text: String {
        let subject = event.subjectThread
        let others = event.threads.filter { $0.id != subject?.id && !$0.frames.isEmpty }
        let parts =
            [headline, facts] + errors + [subject.map { thread($0) }] + others.map { thread($0) }
            + [quietThreads, breadcrumbs, network, images, supplies, loss]
        return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    /// Of one stack, without anything else.
    package static func frames(_ frames: [Frame]) -> String { FramesText(frames, style: .plain).text }

    // MARK: What happened

    private var headline: String {
        if let hang = event.hang { return style.red(Self.printable(Self.words(hang))) + "\n" }
        guard let reason = event.reason else {
            return style.bold(Self.printable("\(event.type) \(event.level)")) + "\n"
        }
        var line = reason.signal ?? reason.number.map { "signal \($0)" } ?? "\(event.type)"
        if let code = reason.code { line += " (\(code))" }
        if let address = reason.faultAddress { line += (reason.access.map { ", \($0)" } ?? "") + " at \(address)" }
        if let kind = reason.kind { line += ", \(Self.words(kind))" }
        if let exception = reason.exception { line += ", \(exception)" }
        if let sender = reason.senderPID {
            let name = reason.senderName.map { " \(Self.printable($0))" } ?? ""
            line += ", sent by process \(sender)\(name)"
        }
        let message = reason.message.map { message in
            "\n\(Self.printable(message))"
                + (reason.messageSource.map { style.dim("  [\(Self.printable("\($0)"))]") } ?? "")
        }
        return style.red(Self.printable(line)) + (message ?? "") + "\n"
    }

    private var facts: String {
        let process = event.contexts["process"]
        let name = process?["name"]?.string ?? process?["executable"]?.string
        let pid: String? = if case .integer(let pid)? = process?["pid"] { "pid \(pid)" } else { nil }
        let rows: [(String, String?)] = [
            ("Program", [name, pid].compactMap { $0 }.joined(separator: ", ")),
            ("Time", event.timestamp.description),
            ("Release", [event.release, event.environment].compactMap { $0 }.joined(separator: ", ")),
            ("User", event.user?["id"]?.string),
            ("Tags", event.tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")),
            ("System", system),
            ("Event", event.eventID),
        ]
        return rows.compactMap { label, value in
            guard let value, !value.isEmpty else { return nil }
            return style.dim(label.padded(to: 9)) + Self.printable(value) + "\n"
        }.joined()
    }

    private var system: String {
        let os = event.contexts["os"]
        let words = [
            os?["pretty_name"]?.string ?? os?["name"]?.string, event.contexts["kernel"]?["release"]?.string, event.arch,
        ]
        return words.compactMap { $0 }.joined(separator: ", ")
    }

    private var errors: [String] {
        event.errors.map { error in
            let title = (error.causeOf == nil ? "" : "Caused by ") + Self.printable(error.type)
            let origin = error.stackOf == .throw ? style.dim("  thrown here:") + "\n" : ""
            return "\(style.bold(title)): \(Self.printable(error.message ?? ""))\n" + origin
                + FramesText(error.frames, style: style).text
        }
    }

    // MARK: Where

    private func thread(_ thread: ThreadState) -> String {
        let name = thread.name.map { " \"\(Self.printable($0))\"" } ?? ""
        let title = "Thread \(thread.id)\(name)" + (thread.crashed ? " crashed" : thread.current == true ? part : "")
        let more = thread.framesTruncated ? style.dim("     … the walk ended before the stack's end\n") : ""
        return style.bold(title) + "\n" + FramesText(thread.frames, style: style).text + more
    }

    /// What the thread that the event is about has to do with it.
    private var part: String { event.type == .hang ? " hangs" : " took the snapshot" }

    private var quietThreads: String? {
        let quiet = event.threads.filter { $0.id != event.subjectThread?.id && $0.frames.isEmpty }
        guard !quiet.isEmpty else { return nil }
        let list = quiet.map { thread in "\(thread.id)" + (thread.name.map { " \"\(Self.printable($0))\"" } ?? "") }
        return style.bold("Other threads") + "\n     " + list.joined(separator: ", ") + "\n"
    }

    private var breadcrumbs: String? {
        guard !event.breadcrumbs.isEmpty else { return nil }
        let rows = event.breadcrumbs.map { crumb in
            let category = crumb.category.map { "[\($0)] " } ?? ""
            let data = crumb.data.isEmpty ? "" : style.dim("  \(Self.printable(Self.compact(.object(crumb.data))))")
            let line = "\(crumb.level.rawValue.padded(to: 8))\(category)\(crumb.message ?? "")"
            return "  \(crumb.timestamp)  \(Self.printable(line))\(data)\n"
        }
        return style.bold("Breadcrumbs") + "\n" + rows.joined()
    }

    private var images: String? {
        let used = event.debugImages.filter { $0.status != .unused }
        guard !used.isEmpty else { return nil }
        let rows = used.map { image in
            let id = image.buildID?.description ?? "no build id"
            let status = Self.printable(image.status.map { "\($0)" } ?? "")
            let source = image.source.map { style.dim("  \(Self.printable($0))") } ?? ""
            let path = Self.printable(image.codeFile ?? "?")
            return "  \(image.imageAddress)  \(status.padded(to: 11))\(id)  \(path)\(source)\n"
        }
        return style.bold("Debug images") + "\n" + rows.joined()
    }

    /// Who can make more of it readable, and how.
    private var supplies: String? {
        let supplies = service.map { ImageSupply.missing(in: event, service: $0) } ?? ImageSupply.missing(in: event)
        guard !supplies.isEmpty else { return nil }
        let rows = supplies.map { supply in
            let command = supply.command.map { "    → \(Self.printable($0))\n" } ?? ""
            let frames = supply.frames == 1 ? "1 frame" : "\(supply.frames) frames"
            return "  \(Self.printable(supply.codeFile ?? "no file")) (\(frames)): \(Self.printable(supply.reason))\n"
                + command
        }
        return style.bold("What would make it readable") + "\n" + rows.joined()
    }

    private var loss: String? {
        guard !event.loss.isEmpty else { return nil }
        let rows = event.loss.map { "  \(Self.printable($0.what)): \(Self.printable($0.why))\n" }
        return style.bold("Not known") + "\n" + rows.joined()
    }

    // MARK: Words

    private static func words(_ hang: Hang) -> String {
        let end =
            switch hang.outcome {
            case .recovered?: "; it went on" + (hang.duration.map { " after \($0) s" } ?? "")
            case .ended?: "; the program ended before it went on"
            default: ""
            }
        return "hang: \"\(hang.watch)\" had not gone on for \(hang.stuck) s (the bound is \(hang.bound) s)\(end)"
    }

    private static func words(_ kind: ReasonKind) -> String {
        switch kind {
        case .stackOverflow: "stack overflow"
        case .nullCall: "call through null"
        default: printable(kind.rawValue)
        }
    }

    private static func compact(_ value: JSONValue) -> String {
        (try? ModelCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Text of a crashed program, with nothing in it that a terminal would obey.
    package static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": return "\n         "
            case "\t": return "  "
            default: return isControl(scalar) ? "\u{fffd}" : String(scalar)
            }
        }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || (0x202a...0x202e).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }
}

extension String {
    /// At least `width` characters, filled with spaces.
    package func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self + " "
    }
}
