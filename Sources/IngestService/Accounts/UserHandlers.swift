// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Users, and their parts in projects.
enum UserHandlers {
    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try .json(ListDocument(name: "users", items: try service.store.users().map { UserDocument($0) }, next: nil))
    }

    /// Without a password the server chooses one, and tells it once.
    static func add(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["name", "password", "server_admin"])
        guard let name = AccountNames.user(try fields.text("name") ?? "") else {
            throw RequestFields.wrong("name", "must be letters, digits and . _ @ + - (at most 100)")
        }
        let given = try password(fields)
        let password = given ?? Secrets.random()
        let user = try service.store.addUser(
            name: name, passwordHash: try service.passwords.hash(password),
            isServerAdmin: try fields.bool("server_admin") ?? false)
        var response = try HTTPResponse.json(UserDocument(user, password: given == nil ? password : nil), status: 201)
        response.subject = name
        return response
    }

    static func change(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let user = try find(service, request)
        let fields = try RequestFields(request, allowed: ["password", "server_admin", "disabled"])
        var change = UserChange(
            isServerAdmin: try fields.bool("server_admin"), isDisabled: try fields.bool("disabled"))
        let password = try password(fields)
        guard password != nil || change.isServerAdmin != nil || change.isDisabled != nil else {
            throw APIError(400, "nothing_to_change", "send \"password\", \"server_admin\" or \"disabled\"")
        }
        change.passwordHash = try password.map { (text) throws in try service.passwords.hash(text) }
        _ = try service.store.change(user: user.id, change)
        var response = try HTTPResponse.json(UserDocument(try find(service, request)))
        response.subject = fields.names(of: ["password", "server_admin", "disabled"]).joined(separator: " ")
        return response
    }

    static func remove(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let user = try find(service, request)
        _ = try service.store.removeUser(id: user.id)
        return try .json(UserDocument(user))
    }

    static func endSessions(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try .json(["ended": try service.store.endSessions(ofUser: find(service, request).id)])
    }

    static func members(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let members = try service.store.members(project: request.requireProject().id)
        return try .json(ListDocument(name: "members", items: members.map { MemberDocument($0) }, next: nil))
    }

    static func setRole(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["role"])
        guard let role = try fields.text("role").flatMap({ Role(rawValue: $0) }) else {
            throw RequestFields.wrong("role", "must be admin, member or read-only")
        }
        let user = try find(service, request)
        try service.store.setRole(role, user: user.id, project: request.requireProject().id)
        var response = try HTTPResponse.json(MemberDocument(Member(user: user.name, role: role)))
        response.subject = role.rawValue
        return response
    }

    static func removeMember(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject().id
        let user = try find(service, request)
        guard let member = try service.store.members(project: project).first(where: { $0.user == user.name }) else {
            throw APIError.notFound("\"\(user.name)\" has no part in this project")
        }
        try service.store.setRole(nil, user: user.id, project: project)
        return try .json(MemberDocument(member))
    }

    private static func find(_ service: Service, _ request: HTTPRequest) throws -> User {
        let name = request.parameters["name"] ?? ""
        guard let known = AccountNames.user(name), let user = try service.store.user(name: known) else {
            throw APIError.notFound("there is no user \"\(name.prefix(100))\"")
        }
        return user
    }

    private static func password(_ fields: RequestFields) throws(APIError) -> String? {
        guard !fields.isNull("password") else { throw RequestFields.wrong("password", "must be a text") }
        guard let password = try fields.text("password", longest: Passwords.lengths.upperBound) else { return nil }
        guard password.unicodeScalars.count >= Passwords.lengths.lowerBound else {
            throw RequestFields.wrong("password", "must have at least \(Passwords.lengths.lowerBound) characters")
        }
        return password
    }
}
