// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport

@testable import IngestService

/// A reader of the page, who fills in its forms.
struct PageReader {
    let server: ServerProcess
    let session: [String: String]

    init(_ server: ServerProcess) throws {
        self.server = server
        session = try server.session()
    }

    init(_ server: ServerProcess, name: String, password: String) throws {
        self.server = server
        session = try server.session(of: name, password)
    }

    func page(_ path: String) throws -> HTTPClient.Response {
        try server.client.send("GET", path, headers: session)
    }

    /// What forms of the session carry.
    func proof() throws -> String {
        try page("/account").text.firstMatch(of: /name="form" value="([^"]+)"/).map { String($0.1) } ?? ""
    }

    /// Fills in the fields and sends the form; `proof` nil is the right one.
    func send(_ path: String, _ fields: [String: String] = [:], proof: String? = nil) throws -> HTTPClient.Response {
        let all = fields.merging(["form": try proof ?? self.proof()]) { $1 }
        let body = all.map { "\(FormCoding.encode($0.key))=\(FormCoding.encode($0.value))" }.joined(separator: "&")
        return try server.client.send("POST", path, headers: session, body: Data(body.utf8))
    }
}
