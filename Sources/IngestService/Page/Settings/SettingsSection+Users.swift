// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// The accounts of the server.
extension SettingsSection {
    static let users: Self = Self(
        name: "users", title: "Users", readers: .server, changers: .server,
        content: { service, request, outcome in
            let all = try service.store.users()
            let rows = all.map { user in
                PageTable.row(
                    .text(user.name), .text(state(user)), Words.time(user.createdAt),
                    .group(forms(user).map { $0.content(request, outcome) }))
            }
            return [
                tag("p", [], "Accounts of people. What one may in a project its members' page says."),
                rows.isEmpty
                    ? tag("p", [], "There is no account yet: everybody logs in with a token.")
                    : PageTable(heads: ["Name", "State", "Made", ""], rows: rows).alone(named: "Users"),
                tag("h2", [], "Add a user"), newUser.content(request, outcome),
            ]
        })

    private static let newUser = SettingsForm(
        action: "/settings/users", button: "Add the user",
        fields: [
            FormField(name: "name", label: "Name", isRequired: true),
            FormField(
                name: "password", label: "Password", kind: .password,
                hint: "Empty: the server chooses one, and shows it once."
            ),
            FormField(
                name: "server_admin", label: "Part", kind: .choice([("", "a user"), ("yes", "runs the server")])),
        ])

    private static func state(_ user: User) -> String {
        let parts = [user.isDisabled ? "shut out" : nil, user.isServerAdmin ? "runs the server" : nil].compactMap { $0 }
        return parts.isEmpty ? "active" : parts.joined(separator: ", ")
    }

    private static func forms(_ user: User) -> [SettingsForm] {
        let place = "/settings/users/" + FormCoding.encode(user.name)
        return [
            SettingsForm(
                action: place + "/password", button: "New password",
                fields: [FormField(name: "password", label: "New password", kind: .password, isRequired: true)],
                caution: "It ends all sessions of \(user.name)."),
            user.isDisabled
                ? SettingsForm(action: place + "/enable", button: "Let in again")
                : SettingsForm(
                    action: place + "/disable", button: "Shut out",
                    caution: "\(user.name) is logged out, and cannot log in until let in again."),
            user.isServerAdmin
                ? SettingsForm(
                    action: place + "/demote", button: "Server no more",
                    caution: "\(user.name) then sees only projects with a part in them.")
                : SettingsForm(
                    action: place + "/promote", button: "Give the server",
                    caution: "\(user.name) then may everything in every project."),
            SettingsForm(
                action: place + "/remove", button: "Remove",
                caution: "The account goes for good; what \(user.name) decided stays."),
        ]
    }

    /// What each of the buttons sets.
    private static let settings: [String: JSONValue] = [
        "enable": ["disabled": false], "disable": ["disabled": true], "promote": ["server_admin": true],
        "demote": ["server_admin": false],
    ]

    static func addUser(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try users.act(
            service, request, action: newUser.action, by: UserHandlers.add,
            { asked in
                var body = newUser.body(of: request)
                body["server_admin"] = .bool(body["server_admin"] != nil)
                try asked.set(json: body)
            },
            told: {
                let made = try ModelCoding.decode(JSONValue.self, from: $0)
                return made["password"]?.string.map {
                    secret($0, "The password of \(made["name"]?.string ?? "") is this.")
                }
            })
    }

    /// `POST /settings/users/{name}/{change}`
    static func changeUser(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let change = request.parameters["change"] ?? ""
        if change == "remove" {
            return try users.act(service, request, action: request.path, by: UserHandlers.remove) { _ in }
        }
        return try users.act(service, request, action: request.path, by: UserHandlers.change) { asked in
            if change == "password" {
                try asked.set(json: ["password": .string(request.form["password"] ?? "")])
            } else if let setting = settings[change]?.object {
                try asked.set(json: setting)
            } else {
                throw APIError.notFound("there is no such change of a user")
            }
        }
    }
}
