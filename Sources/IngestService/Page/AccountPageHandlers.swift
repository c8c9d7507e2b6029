// SPDX-License-Identifier: Apache-2.0
import EventStore

/// What people do with their own account: choose a project, change the password.
enum AccountPageHandlers {
    static func projects(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let current = try request.requireProject()
        let rows = try visible(service, request).map { project in
            tag("li", [], form("/projects", request, [Field.hidden("project", project.slug)], button(project, current)))
        }
        let nothing: HTML = tag("p", [], "You have no part in any project yet. Ask an admin of one to add you.")
        return page(
            "Projects", request,
            [tag("h1", [], "Projects"), rows.isEmpty ? nothing : tag("ul", [.className("choices")], children: rows)])
    }

    private static func button(_ project: Project, _ current: Project) -> HTML {
        let attributes = project == current ? [HTML.Attribute("aria-current", "true")] : []
        return tag(
            "button", [HTML.Attribute("type", "submit")] + attributes,
            .text(project.slug + (project == current ? " (shown now)" : "")))
    }

    static func choose(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        let wanted = request.form["project"] ?? ""
        guard let project = try visible(service, request).first(where: { $0.slug == wanted }) else {
            throw APIError(403, "wrong_project", "you have no part in this project")
        }
        let session = request.cookie(Authenticator.sessionCookie) ?? ""
        try service.store.setProject(ofWebSession: Secrets.hash(session), to: project.id)
        return .redirect(to: "/")
    }

    private static func visible(_ service: Service, _ request: HTTPRequest) throws -> [Project] {
        guard let caller = request.caller else { return [] }
        if caller.may(.server) { return try service.store.projects() }
        if case .user(let user) = caller.kind { return try service.store.projects(ofUser: user.id) }
        return [try request.requireProject()]
    }

    static func account(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        show(request, problem: nil, status: 200)
    }

    /// Ends the user's sessions, and begins this one anew.
    static func setPassword(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        guard case .user(let user)? = request.caller?.kind else {
            throw APIError(403, "no_account", "this session has no account with a password")
        }
        let address = ClientAddress.network(request.address)
        if let seconds = service.throttle.begin(account: user.name, address: address) {
            return show(request, problem: "Too many attempts. Try again in \(seconds) seconds.", status: 429)
        }
        let form = request.form
        guard try service.passwords.check(form["password"] ?? "", service.store.login(name: user.name)?.passwordHash)
        else {
            try service.audit(AuditEntry.failedLogin, request, actor: user.name)
            return show(request, problem: "This is not the present password.", status: 403)
        }
        service.throttle.succeeded(account: user.name, address: address)
        let new = form["new_password"] ?? ""
        guard Passwords.lengths.contains(new.unicodeScalars.count) else {
            return show(
                request, problem: "A password has at least \(Passwords.lengths.lowerBound) characters.", status: 400)
        }
        _ = try service.store.change(user: user.id, UserChange(passwordHash: try service.passwords.hash(new)))
        try service.audit("password", request, actor: user.name)
        return try Login(service: service, request: request, next: "/account").open(user)
    }

    private static func show(_ request: HTTPRequest, problem: String?, status: Int) -> HTTPResponse {
        let alert =
            problem.map { tag("p", [.className("problem"), HTML.Attribute("role", "alert")], .text($0)) } ?? .nothing
        let name = request.caller?.name ?? ""
        let change =
            request.caller?.userName == nil
            ? tag("p", [.className("hint")], "This session was opened with a token, and ends with it.")
            : form(
                "/account/password", request,
                Field.labelled("password", "Present password", value: "", type: "password")
                    + Field.labelled("new_password", "New password", value: "", type: "password"),
                tag("button", [HTML.Attribute("type", "submit")], "Change the password"))
        return page("Account", request, [tag("h1", [], .text(name)), alert, change], status: status)
    }

    private static func form(_ action: String, _ request: HTTPRequest, _ fields: [HTML], _ button: HTML) -> HTML {
        tag(
            "form", [.className("login"), HTML.Attribute("method", "post"), HTML.Attribute("action", action)],
            Field.hidden("form", WebPage.proof(request)), .group(fields), button)
    }

    private static func page(
        _ title: String, _ request: HTTPRequest, _ content: [HTML], status: Int = 200
    ) -> HTTPResponse {
        WebPage(request, title: title, content: content).response(status: status)
    }
}
