// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

@testable import IngestService

extension ServerProcess {
    /// A request of the API with a token, by default the first one.
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil
    ) throws -> HTTPClient.Response {
        var headers = ["Authorization": "Bearer \(token ?? credentials.adminToken)"]
        if body != nil { headers["Content-Type"] = "application/json" }
        return try client.send(
            method, "/api/v1" + path, headers: headers, body: try body.map { try ModelCoding.encode($0) } ?? Data())
    }

    /// The answer of a call that must succeed.
    func made(_ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil) throws -> JSONValue {
        let response = try call(method, path, body, token: token)
        guard (200...299).contains(response.status) else {
            throw ChildProcess.Failure(description: "\(method) \(path): \(response.status) \(response.text)")
        }
        return try ModelCoding.decode(JSONValue.self, from: response.body)
    }

    func token(_ scopes: String..., project: String = "default") throws -> String {
        let made = try made(
            "POST", "/projects/\(project)/tokens", ["scopes": .array(scopes.map { .string($0) }), "name": "test"])
        return made["secret"]?.string ?? ""
    }

    /// Adds a user with a part in the project; nil is none.
    func addUser(_ name: String, role: String?, project: String = "default", password: String) throws {
        _ = try made("POST", "/users", ["name": .string(name), "password": .string(password)])
        guard let role else { return }
        _ = try made("PUT", "/projects/\(project)/members/\(name)", ["role": .string(role)])
    }

    /// A login form's cookie and proof.
    func loginForm() throws -> (cookie: [String: String], proof: String) {
        let form = try client.send("GET", "/login")
        let proof = form.text.firstMatch(of: /name="form" value="([^"]+)"/).map { String($0.1) } ?? ""
        return (["Cookie": String(form.headers["set-cookie"]?.split(separator: ";").first ?? "")], proof)
    }

    func logIn(
        _ name: String, _ password: String, from address: String? = nil,
        with form: (cookie: [String: String], proof: String)? = nil
    ) throws -> HTTPClient.Response {
        let (cookie, proof) = try form ?? loginForm()
        var headers = cookie
        headers["X-Forwarded-For"] = address
        let body = "form=\(proof)&name=\(FormCoding.encode(name))&password=\(FormCoding.encode(password))"
        return try client.send("POST", "/login", headers: headers, body: Data(body.utf8))
    }

    /// The session's cookie of somebody who logs in.
    func session(of name: String, _ password: String) throws -> [String: String] {
        let answer = try logIn(name, password)
        guard answer.status == 303 else {
            throw ChildProcess.Failure(description: "\(name) is not let in: \(answer.status) \(answer.text)")
        }
        return ["Cookie": String(answer.headers["set-cookie"]?.split(separator: ";").first ?? "")]
    }
}
