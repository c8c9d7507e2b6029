// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import VakaModel

/// `vaka admin`, beside a server that runs.
struct AdministrationTests {
    private func admin(_ server: ServerProcess, _ words: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(
            BuildProducts.executable("vaka"), ["admin"] + words + ["--data", server.folder.path + "/data"])
    }

    @Test func `who may read the data folder gets in, and others are let in by them`() throws {
        let server = try ServerProcess()
        let user = try admin(server, "user", "add", "ann", "--server-admin")
        #expect(user.status == .exited(0), "\(user.errors)")
        let password = String(user.output.split(separator: " ").last ?? "").filter { $0 != "\n" }
        _ = try server.session(of: "ann", password)
        #expect(try admin(server, "project", "add", "shop").output.contains("vk_"))
        #expect(try admin(server, "member", "set", "ann", "read-only", "--project", "shop").status == .exited(0))
        #expect(try admin(server, "member", "list", "--project=shop").output == "ann  read-only\n")
        let made = try admin(server, "token", "add", "--scope", "read", "--name", "ci", "--project", "shop")
        let token = String(made.output.split(separator: " ").last ?? "").filter { $0 != "\n" }
        #expect(try server.call("GET", "/projects/shop/issues", token: token).status == 200)
        #expect(try server.call("GET", "/projects/default/issues", token: token).status == 403)
        let number = String(made.output.split(separator: " ").first ?? "")
        #expect(try admin(server, "token", "revoke", number, "--project", "shop").status == .exited(0))
        #expect(try server.call("GET", "/projects/shop/issues", token: token).status == 401)
        #expect(try admin(server, "token", "revoke", number, "--project", "shop").status == .exited(1))
        let changed = try admin(server, "user", "password", "ann")
        #expect(try server.logIn("ann", password).status == 403)
        let second = String(changed.output.split(separator: " ").last ?? "").filter { $0 != "\n" }
        #expect(try server.logIn("ann", second).status == 303)
        let log = try admin(server, "audit").output
        for action in ["user add  ann", "token revoke  \(number)", "project add  shop", "login"] {
            #expect(log.contains(action), "\(action)")
        }
        #expect(!log.contains(second) && !log.contains(token))
    }

    @Test func `what is wrong is told`() throws {
        let server = try ServerProcess()
        for words in [
            ["user", "add", "a b"], ["user", "add"], ["member", "set", "ann", "owner"], ["token", "add"],
            ["token", "add", "--scope", "root"], ["project", "add", "Shop!"], ["frobnicate"], ["key", "revoke", "x"],
            ["user", "list", "--frobnicate"], ["user", "password", "nobody"],
        ] {
            let result = try ChildProcess.run(
                BuildProducts.executable("vaka"), ["admin"] + words + ["--data", server.folder.path + "/data"])
            #expect(result.status == .exited(1) || result.status == .exited(2), "\(words)")
            #expect(result.errors.hasPrefix("vaka-server: "), "\(words)")
            #expect(result.output.isEmpty, "\(words)")
        }
    }
}
