// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Lets people with a session in, and leads others to where they get on.
struct SessionGate {
    let store: any EventStore

    func permit(_ permission: Permission?, _ request: HTTPRequest) throws(APIError) -> Authenticator.Admission {
        guard let session = try session(request) else {
            throw Self.elsewhere(request, "no_session", "log in first, at /login")
        }
        let caller = Self.caller(session)
        if let permission, !caller.may(permission) {
            throw caller.permissions.isEmpty && caller.userName != nil
                ? Self.elsewhere(request, "no_project", "choose a project that you have a part in, at /projects")
                : APIError(
                    403, "no_permission", "your part in this project does not let you do this; ask one of its admins")
        }
        return Authenticator.Admission(caller: caller, project: session.project)
    }

    private func session(_ request: HTTPRequest) throws(APIError) -> WebSession? {
        guard let cookie = request.cookie(Authenticator.sessionCookie) else { return nil }
        let hash = Secrets.hash(cookie)
        return try store.reading { (store) throws(StoreError) in try store.webSession(hash: hash, now: store.now) }
    }

    private static func caller(_ session: WebSession) -> Caller {
        switch session.owner {
        case .user(let user, let role):
            Caller(
                kind: .user(user),
                permissions: user.isServerAdmin ? Permission.server.implied : role?.permissions ?? [])
        case .credential(let token):
            Caller(kind: .token(token), permissions: Permission.set(of: token.credential.scopes))
        }
    }

    private static func elsewhere(_ request: HTTPRequest, _ code: String, _ message: String) -> APIError {
        guard request.method == "GET" else { return APIError(403, code, message) }
        let path = code == "no_project" ? "/projects" : "/login?next=" + FormCoding.encode(request.path)
        return APIError(303, code, message, headers: [("Location", path)])
    }
}
