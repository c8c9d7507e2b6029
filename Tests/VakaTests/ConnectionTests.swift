// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import HTTPClient
import TestSupport
import Testing
import VakaModel

@testable import Vaka

/// Proxies, and authorities of one's own.
@Suite struct ConnectionTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The path of a certificate with its key, for 127.0.0.1; it is its own authority.
    func certificate(_ name: String) throws -> String {
        let path = "\(folder.path)/\(name).pem"
        try CompiledProgram.tool(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-keyout", path, "-out", path + ".crt", "-subj", "/CN=127.0.0.1", "-addext",
                "subjectAltName=IP:127.0.0.1",
            ])
        try CompiledProgram.tool("sh", ["-c", "cat \(path).crt >> \(path)"])
        return path
    }

    @Test func anAuthorityOfOnesOwn() throws {
        let own = try certificate("own")
        let server = try ScriptedServer(certificate: own)
        let other = try certificate("other")
        for (authority, arrives) in [(nil, 0), (other + ".crt", 0), (own + ".crt", 1)] {
            let setup = try ClientSetup(url: server.url) {
                $0.certificateAuthorities = authority.map { URL(filePath: $0) }
            }
            setup.client.track("a", [:])
            #expect(setup.client.flush(timeout: .seconds(10)) == (arrives == 1))
            #expect(try server.requests().count == arrives)
        }
    }

    @Test func aFileThatIsNoneIsSaid() throws {
        let server = try ScriptedServer(certificate: try certificate("own"))
        let transport = CurlTransport(ConnectionSettings(caFile: folder.path + "/missing.pem"))
        let failure = #expect(throws: TransportFailure.self) {
            try transport.send(
                TransportRequest(url: server.url, headers: [:], body: Data(), timeout: .seconds(10)))
        }
        #expect(failure?.description.contains("missing.pem") == true)
    }

    /// A proxy is asked for the whole address.
    @Test func aProxy() throws {
        let proxy = try ScriptedServer()
        let setup = try ClientSetup(url: "http://vaka.invalid:8300/base") { $0.proxy = URL(string: proxy.url) }
        setup.client.track("a", [:])
        #expect(setup.client.flush(timeout: .seconds(10)))
        #expect(try proxy.requests().map(\.path) == ["http://vaka.invalid:8300/base/api/v1/ingest"])
    }

    @Test func programsSendByTLSAtTheirEnd() throws {
        let own = try certificate("own")
        let server = try ScriptedServer(certificate: own)
        let run = try ProgramRun()
        // Once with the network library loaded before the end, once not.
        _ = try run.start(server, "untracked", "ca=\(own).crt", "message=1", "flush=30", "message=2").wait()
        _ = try run.start(server, "untracked", "ca=\(own).crt", "message=3").wait()
        // A busy machine may not have got the answer through in time; what arrived did so at the end.
        #expect(try server.requests().count >= 3)
        #expect(Set(try server.events().compactMap { $0.errors.first?.message }) == ["1", "2", "3"])
    }

    /// The answers come while the program ends, which takes its time after the TLS library has cleaned up: what sends then
    /// must not meet that.
    @Test func anEndDuringASendCrashesNothing() throws {
        let own = try certificate("own")
        let count = getenv("VAKA_SOAK") == nil ? 10 : 30
        let server = try ScriptedServer(
            answers: (0..<count).map { .init(delay: 1.9 + 0.9 * Double($0) / Double(count)) },
            default: .init(delay: 0.1),
            certificate: own)
        let runs = try (0..<count).map { _ in try ProgramRun() }
        let programs = try runs.map {
            try $0.start(server, "untracked", "ca=\(own).crt", "slow-end", "batch=1", "messages=3", "flush", "exit=0")
        }
        for program in programs {
            let result = try program.wait()
            #expect(result.status == .exited(0), "\(result.errors)")
        }
    }
}
