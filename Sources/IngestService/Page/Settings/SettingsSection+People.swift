// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Who may what: the project's members, the server's users and projects.
extension SettingsSection {
    static let members: Self = Self(
        name: "members", title: "Members", readers: .admin, changers: .admin,
        content: { service, request, outcome in
            let members = try service.store.members(project: request.requireProject().id)
            let rows = members.map { member in
                PageTable.row(
                    .text(member.user), .text(words(member.role)),
                    SettingsForm(
                        action: "/settings/members/\(FormCoding.encode(member.user))/remove", button: "Remove",
                        caution: "\(member.user) no longer sees this project. The account stays."
                    ).content(request, outcome))
            }
            return [
                tag("p", [], "Users with a part in this project, and what it lets them do."),
                rows.isEmpty
                    ? tag("p", [], "Nobody has a part yet; those who run the server see every project.")
                    : PageTable(heads: ["User", "May", ""], rows: rows).alone(named: "Members"),
                tag("h2", [], "Add a user, or change a part"), newMember.content(request, outcome),
            ]
        })

    private static let newMember = SettingsForm(
        action: "/settings/members", button: "Give the part",
        fields: [
            FormField(name: "user", label: "User", hint: "Of an account that there is.", isRequired: true),
            FormField(
                name: "role", label: "Part", kind: .choice(Role.allCases.reversed().map { ($0.rawValue, words($0)) })),
        ])

    private static func words(_ role: Role) -> String {
        switch role {
        case .admin: "admin: everything, the settings too"
        case .member: "member: read, decide about issues, upload"
        case .readOnly: "read-only"
        }
    }

    static func setMember(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try members.act(service, request, action: newMember.action, by: UserHandlers.setRole) { asked in
            asked.parameters["name"] = request.form["user"] ?? ""
            try asked.set(json: newMember.body(of: request).filter { $0.key == "role" })
        }
    }

    static func removeMember(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try members.act(service, request, action: request.path, by: UserHandlers.removeMember) { _ in }
    }

    static let projects: Self = Self(
        name: "projects", title: "Projects", readers: .server, changers: .server,
        content: { service, request, outcome in
            [
                tag("p", [], "All projects of this server. Each has its own issues, images, keys and members."),
                tag(
                    "ul", [.className("history")],
                    children: try service.store.projects().map { tag("li", [], .text($0.slug)) }),
                tag("h2", [], "Make a project"), newProject.content(request, outcome),
            ]
        })

    private static let newProject = SettingsForm(
        action: "/settings/projects", button: "Make the project",
        fields: [
            FormField(
                name: "name", label: "Name", hint: "Lowercase letters, digits and -, at most 63.", isRequired: true)
        ])

    static func addProject(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try projects.act(
            service, request, action: newProject.action, by: ProjectHandlers.add,
            { try $0.set(json: newProject.body(of: request)) },
            told: {
                let made = try ModelCoding.decode(JSONValue.self, from: $0)
                return secret(
                    made["ingest_key"]?.string ?? "", "The project \(made["name"]?.string ?? "") has this ingest key.")
            })
    }

    static let audit: Self = Self(
        name: "audit", title: "Audit log", readers: .admin, changers: .admin,
        content: { service, request, _ in
            let paging = try Paging(request, usual: 100)
            let isWhole = request.caller?.may(.server) == true
            let log = try service.store.auditLog(
                project: isWhole ? nil : request.requireProject().id, after: paging.cursor, limit: paging.limit)
            let rows = log.items.map { entry in
                PageTable.row(
                    Words.time(entry.at), .text(entry.actor), tag("code", [], .text(entry.action)),
                    .text(entry.target ?? "–"), .text(entry.address ?? "–"))
            }
            let more = log.next.map {
                tag("p", [.className("more")], tag("a", [.href("/settings/audit?cursor=\($0.text)")], "Older entries"))
            }
            return [
                tag(
                    "p", [],
                    .text(isWhole ? "Who did what on this server." : "Who did what in this project.")
                ),
                rows.isEmpty
                    ? tag("p", [], "Nothing yet.")
                    : PageTable(heads: ["When", "Who", "What", "To what", "From"], rows: rows).alone(
                        named: "Audit log"),
                more ?? .nothing,
            ]
        })
}
