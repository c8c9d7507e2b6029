// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension ServerProcess {
    /// A session's cookie, by a one-time link.
    package func session() throws -> [String: String] {
        let made = try client.send("POST", "/api/v1/login-links", headers: tokenHeader)
        let url = try ModelCoding.decode(JSONValue.self, from: made.body)["url"]?.string ?? ""
        let path = "/" + url.split(separator: "/").dropFirst(2).joined(separator: "/")
        let answer = try client.send("GET", path)
        let cookie = answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init) ?? ""
        return ["Cookie": cookie]
    }
}
