// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
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

    @Test func `stored events are worked on again`() throws {
        let server = try ServerProcess()
        var event = Samples.crash(1)
        event.threads[0].frames[0].status = .missingImage
        event.threads[0].stack = MemoryRegion(
            address: HexAddress(0x7ffd_0000_0000), data: Data(repeating: 7, count: 64))
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.accepted(try Samples.batch(Samples.crash(2)))
        _ = try (server.event(1), server.event(2))
        func mended() throws -> Int {
            let text = try server.client.send("GET", "/metrics").text
            let line = text.split(separator: "\n").first { $0.hasPrefix("vaka_events_mended_total ") }
            return line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
        }
        let told = try admin(server, "reprocess", "--days", "1")
        #expect(told.output.hasPrefix("1 of 2 events wait to be worked on again; of the others the reports are gone"))
        try server.eventually { try mended() == 1 ? true : nil }
        let answer = try server.call(
            "POST", "/projects/default/reprocess?event=\(Samples.eventID(1))", token: server.credentials.adminToken)
        #expect(answer.status == 202 && answer.text == #"{"queued":1,"selected":1}"#, "\(answer.text)")
        try server.eventually { try mended() == 2 ? true : nil }
        for query in ["", "?event=a&issue=1", "?issue=x", "?days=-1"] {
            let wrong = try server.call(
                "POST", "/projects/default/reprocess" + query, token: server.credentials.adminToken)
            #expect(wrong.status == 400, "\(query)")
        }
        #expect(try admin(server, "reprocess").errors.contains("say which events"))
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
