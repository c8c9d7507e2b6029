// SPDX-License-Identifier: Apache-2.0
import EventStore
import Glibc
import VakaModel

/// Debug images and source bundles by a form, or by being dropped on the page.
struct UploadForm {
    enum Outcome {
        case taken(UploadReply)
        case refused(String)

        var isTaken: Bool {
            if case .taken = self { true } else { false }
        }
    }

    let proof: String

    var content: HTML {
        tag(
            "form",
            [
                .className("upload"), HTML.Attribute("method", "post"), HTML.Attribute("action", "/images"),
                HTML.Attribute("enctype", "multipart/form-data"), HTML.Attribute("data-drop", ""),
                HTML.Attribute("data-busy", "Sending…"),
            ],
            Field.hidden("form", proof),
            tag("label", [HTML.Attribute("for", "files")], "Debug images, programs or source bundles"),
            tag(
                "input",
                [
                    HTML.Attribute("id", "files"), HTML.Attribute("name", "files"), HTML.Attribute("type", "file"),
                    HTML.Attribute("multiple", ""),
                ]),
            .group(Field.labelled("release", "Release, if they are of one", value: "")),
            tag("button", [HTML.Attribute("type", "submit")], "Upload"),
            tag(
                "p", [.className("hint")],
                "Or drop them anywhere on this page. Of many files ", tag("code", [], "vaka upload debug FOLDER"),
                " sends those that are missing."))
    }

    /// What the file is it says itself.
    static func take(
        _ file: FileForm.File, release: String?, _ service: Service, _ project: Project
    ) throws -> Outcome {
        let isBundle = begins(file.path, with: "PK")
        let label = UploadLabel(
            kind: isBundle ? .sources : .native, name: PageForm.text(file.name, longest: 256),
            release: PageForm.text(release, longest: 256))
        do {
            return .taken(try ArtifactHandlers.take(service, project, label, path: file.path, hash: file.hash))
        } catch let error as APIError where error.status < 500 {
            return .refused(error.message)
        }
    }

    private static func begins(_ path: String, with start: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: start.utf8.count)
        return read(descriptor, &bytes, bytes.count) == bytes.count && bytes.elementsEqual(start.utf8)
    }

    /// As `vaka check` says it.
    static func told(_ name: String, _ outcome: Outcome) -> HTML {
        guard case .taken(let reply) = outcome else {
            guard case .refused(let why) = outcome else { return .nothing }
            return SettingsForm.alert("\(name) was not taken: \(why)")
        }
        let rows = reply.findings.map { finding in
            PageTable.row(
                .text(finding.name),
                tag("span", [.className("found-\(state(finding.state))")], .text(finding.state.rawValue)),
                .text(finding.detail), finding.cure.map { tag("code", [], .text($0)) } ?? "–")
        }
        return tag(
            "section", [.className("notice"), HTML.Attribute("role", "status")],
            tag(
                "p", [], tag("b", [], .text(name)), .text(" " + words(reply) + ". Build id "),
                tag("code", [], .text(reply.buildID))),
            rows.isEmpty
                ? .nothing
                : PageTable(heads: ["What", "State", "Detail", "What would mend it"], rows: rows).alone(named: name))
    }

    private static func words(_ reply: UploadReply) -> String {
        let outcome =
            switch reply.outcome {
            case "stored": "is stored"
            case "already_there": "is there already"
            default: "does not replace what is stored"
            }
        return outcome + (reply.reason.map { ": \($0)" } ?? "")
    }

    private static func state(_ state: ImageFinding.State) -> String {
        [.ok, .partial, .missing].contains(state) ? state.rawValue : "partial"
    }
}
