// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// A server that misbehaves in each way stands before the real service: what is captured meanwhile is stored there once.
@Suite struct MisbehavingServerTests {
    /// Some behaviour, and whether the SDK may try again in this launch.
    struct Behaviour: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answers: [ScriptedServer.Answer]
        var needsLaunch = false
        /// Of a key that the real service does not know.
        var itemsLimit: Int?

        init(_ name: String, _ answers: ScriptedServer.Answer..., needsLaunch: Bool = false, itemsLimit: Int? = nil) {
            testDescription = name
            self.answers = answers
            self.needsLaunch = needsLaunch
            self.itemsLimit = itemsLimit
        }
    }

    static let garbage: JSONValue = "<html>no JSON"

    /// Where `forward` is "", the real service has taken the batch before the misbehaviour.
    static let behaviours = [
        Behaviour("401", .init(status: 401), needsLaunch: true),
        Behaviour("403", .init(status: 403), needsLaunch: true),
        Behaviour("413", itemsLimit: 1),
        Behaviour("429 with Retry-After", .init(status: 429, headers: ["Retry-After": "120"])),
        Behaviour("429", .init(status: 429), .init(status: 429)),
        Behaviour("500", .init(status: 500), .init(status: 500), .init(status: 503)),
        Behaviour("500 afterwards", .init(status: 500, forward: ""), .init(status: 502, forward: "")),
        Behaviour("cut", .init(cut: true), .init(cut: true)),
        Behaviour("cut afterwards", .init(cut: true, forward: ""), .init(cut: true, forward: "")),
        Behaviour("garbage", .init(status: 500, body: garbage), .init(status: 302, body: garbage)),
        Behaviour("garbage afterwards", .init(status: 202, body: garbage, forward: "")),
        Behaviour("half an answer afterwards", .init(declared: 5000, forward: "")),
    ]

    private static func configure(_ options: inout Vaka.Options, _ service: ServerProcess) {
        options.key = service.credentials.ingestKey
        options.maxBatchSize = 2
    }

    /// Names of what the service has stored, as often as it did. What it stored is known by what was sent.
    private static func stored(_ service: ServerProcess, _ servers: ScriptedServer...) throws -> [String] {
        var names: [String: String] = [:]
        for item in try servers.flatMap({ try $0.requests() }).flatMap(\.items) {
            names[item["id"]?.string ?? ""] = item["payload"]?["name"]?.string
        }
        return try service.storedItems().compactMap { names[$0] }.sorted()
    }

    /// Time goes on until all is sent.
    private static func settle(_ setup: ClientSetup) {
        for _ in 0..<20 where !setup.waiting.isEmpty {
            setup.clock.advance(.seconds(400))
            setup.scheduler.runLater()
        }
    }

    @Test func eachIsSurvived() throws {
        let service = try ServerProcess()
        for behaviour in Self.behaviours {
            let server = try ScriptedServer(
                answers: behaviour.answers.map { answer in
                    var answer = answer
                    if answer.forward != nil { answer.forward = service.credentials.url }
                    return answer
                }, default: .init(itemsLimit: behaviour.itemsLimit, forward: service.credentials.url))
            let setup = try ClientSetup(url: server.url) { Self.configure(&$0, service) }
            let names = (0..<5).map { "\(behaviour.testDescription) \($0)" }
            for name in names { setup.client.track(name, [:]) }
            setup.client.flush()
            Self.settle(setup)
            if behaviour.needsLaunch {
                #expect(setup.waiting.count == 3, "\(behaviour)")
                let path = setup.path + "/state/vaka"
                let next = try ClientSetup(url: server.url) {
                    Self.configure(&$0, service)
                    $0.storageDirectory = URL(filePath: path)
                }
                next.client.recover()
            }
            #expect(setup.waiting.isEmpty, "\(behaviour)")
            #expect(try Self.stored(service, server) == names, "\(behaviour)")
        }
    }

    @Test func itIsDown() throws {
        let service = try ServerProcess()
        let down = try ScriptedServer()
        down.stop()
        let setup = try ClientSetup(url: down.url) { Self.configure(&$0, service) }
        for name in ["a", "b", "c"] { setup.client.track(name, [:]) }
        setup.client.flush()
        #expect(setup.waiting.count == 2)
        let up = try ScriptedServer(port: down.port, default: .init(forward: service.credentials.url))
        Self.settle(setup)
        #expect(setup.waiting.isEmpty)
        #expect(try Self.stored(service, up) == ["a", "b", "c"])
    }

    /// It answers after the SDK has given up, and has stored everything.
    @Test func itIsSlow() throws {
        let service = try ServerProcess()
        let server = try ScriptedServer(
            answers: [.init(delay: 3, forward: service.credentials.url)],
            default: .init(forward: service.credentials.url))
        let setup = try ClientSetup(url: server.url) { $0.key = service.credentials.ingestKey }
        for name in ["a", "b", "c"] { setup.client.track(name, [:]) }
        #expect(!setup.client.flush(timeout: .milliseconds(500)))
        #expect(!setup.waiting.isEmpty)
        Self.settle(setup)
        #expect(setup.waiting.isEmpty)
        #expect(try Self.stored(service, server) == ["a", "b", "c"])
    }

    @Test func itsCertificateIsAnothers() throws {
        let folder = try TemporaryFolder()
        let certificate = folder.path + "/other.pem"
        try CompiledProgram.tool(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=another.example",
                "-keyout", certificate, "-out", certificate + ".crt",
            ])
        try CompiledProgram.tool("sh", ["-c", "cat \(certificate).crt >> \(certificate)"])
        let service = try ServerProcess()
        let wrong = try ScriptedServer(certificate: certificate)
        let setup = try ClientSetup(url: wrong.url) { Self.configure(&$0, service) }
        setup.client.track("a", [:])
        setup.client.flush()
        Self.settle(setup)
        #expect(setup.waiting.count == 1)
        #expect(try wrong.requests().isEmpty)
        let right = try ScriptedServer(default: .init(forward: service.credentials.url))
        let path = setup.path + "/state/vaka"
        let next = try ClientSetup(url: right.url) {
            Self.configure(&$0, service)
            $0.storageDirectory = URL(filePath: path)
        }
        next.client.recover()
        #expect(setup.waiting.isEmpty)
        #expect(try Self.stored(service, right) == ["a"])
    }
}
