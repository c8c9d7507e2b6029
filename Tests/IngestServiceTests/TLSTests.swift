// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import HTTPClient
import TestSupport
import Testing
import VakaModel

/// The server's own TLS, asked by the transport that the SDK uses.
@Suite struct TLSTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var certificate: String { folder.path + "/server.crt" }
    private var key: String { folder.path + "/server.key" }

    /// Makes a certificate for 127.0.0.1 that vouches for itself.
    private func issue(certificate: String? = nil, key: String? = nil) throws {
        try CompiledProgram.tool(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-keyout", key ?? self.key, "-out", certificate ?? self.certificate, "-subj", "/CN=127.0.0.1",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
            ])
    }

    private var arguments: [String] { ["--tls-cert", certificate, "--tls-key", key] }

    private func send(
        _ event: Event, to server: ServerProcess, trusting authority: String
    ) throws(TransportFailure) -> TransportAnswer {
        let batch = (try? Samples.batch(event)) ?? ""
        return try CurlTransport(ConnectionSettings(proxy: "", caFile: authority)).send(
            TransportRequest(
                url: server.credentials.url + "/api/v1/ingest",
                headers: server.keyHeader.merging(["Content-Type": "application/json"]) { first, _ in first },
                body: Data(batch.utf8), timeout: .seconds(30)))
    }

    @Test func `a client that trusts the certificate sends, one that does not is not heard`() throws {
        try issue()
        let server = try ServerProcess(arguments)
        #expect(server.credentials.url.hasPrefix("https://127.0.0.1:"))
        #expect(server.process.outputSoFar == "listening on \(server.credentials.url)\n")
        #expect(try send(Samples.crash(1), to: server, trusting: certificate).status == 202)
        let other = folder.path + "/other.crt"
        try issue(certificate: other, key: folder.path + "/other.key")
        #expect(throws: TransportFailure.self) { try send(Samples.crash(2), to: server, trusting: other) }
        let plain = try server.client.exchange(Data("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".utf8), half: true)
        #expect(!String(decoding: plain, as: UTF8.self).contains("HTTP/1.1 200"))
    }

    @Test func `a page's cookie is kept to encrypted connections`() throws {
        try issue()
        let server = try ServerProcess(arguments)
        let form = try CompiledProgram.tool(
            "curl", ["-sS", "-i", "--noproxy", "*", "--cacert", certificate, server.credentials.url + "/login"])
        let cookie = form.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") }
        #expect(cookie?.hasSuffix("; Secure") == true)
    }

    @Test func `a renewed certificate is taken without losing a request`() throws {
        try issue()
        let server = try ServerProcess(arguments)
        let first = folder.path + "/first.crt"
        try FileManager.default.copyItem(atPath: certificate, toPath: first)
        let renewed = folder.path + "/renewed"
        try issue(certificate: renewed + ".crt", key: renewed + ".key")
        let batch = folder.path + "/batch"
        try Data(try Samples.batch(Samples.crash(1)).utf8).write(to: URL(filePath: batch))
        // A request that is under way while the certificate changes: its end is sent when `go` is there.
        let go = folder.path + "/go"
        let slow = try ChildProcess(
            "sh",
            [
                "-c",
                """
                { head -c 100 "$1"; until [ -e "$2" ]; do sleep 0.02; done; tail -c +101 "$1"; } |
                curl -sS --noproxy '*' --cacert "$3" --trace-ascii "$2.trace" -o /dev/null -w '%{http_code}' -T - -X POST \
                    -H "Authorization: Bearer $4" -H 'Content-Type: application/json' "$5/api/v1/ingest"
                """,
                "sh", batch, go, first, server.credentials.ingestKey, server.credentials.url,
            ])
        try server.eventually {
            let trace = (try? Data(contentsOf: URL(filePath: go + ".trace"))) ?? Data()
            return trace.firstRange(of: Data("schema_version".utf8)) != nil ? true : nil
        }
        for ending in [".crt", ".key"] { rename(renewed + ending, folder.path + "/server" + ending) }
        server.process.kill(SIGHUP)
        try server.eventually { server.process.errorsSoFar.contains("is in use") ? true : nil }
        #expect(try send(Samples.crash(2), to: server, trusting: certificate).status == 202)
        #expect(throws: TransportFailure.self) { try send(Samples.crash(3), to: server, trusting: first) }
        try Data().write(to: URL(filePath: go))
        #expect(try slow.wait().output == "202")
    }

    @Test func `a renewal that is none keeps what was there`() throws {
        try issue()
        let server = try ServerProcess(arguments)
        let first = folder.path + "/first.crt"
        try FileManager.default.copyItem(atPath: certificate, toPath: first)
        try issue(key: folder.path + "/new.key")
        server.process.kill(SIGHUP)
        try server.eventually { server.process.errorsSoFar.contains("stays in use") ? true : nil }
        #expect(server.process.errorsSoFar.contains("is not that of the first certificate"))
        #expect(try send(Samples.crash(1), to: server, trusting: first).status == 202)
    }

    @Test func `files that cannot be used are told at the start`() throws {
        try issue()
        let junk = folder.path + "/junk.pem"
        try Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8).write(to: URL(filePath: junk))
        let foreign = folder.path + "/foreign.key"
        try issue(certificate: folder.path + "/foreign.crt", key: foreign)
        let locked = folder.path + "/locked.key"
        try CompiledProgram.tool(
            "openssl", ["pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", locked])
        for (certificate, key, words) in [
            (folder.path + "/missing.crt", key, ["cannot read", "missing.crt", "--tls-cert"]),
            (folder.path, key, ["is no PEM file", "--tls-cert"]),
            (junk, key, ["holds no certificate", "junk.pem", "fullchain.pem"]),
            (key, key, ["holds no certificate"]),
            (certificate, junk, ["holds no private key", "--tls-key"]),
            (certificate, locked, ["holds no private key", "password"]),
            (certificate, foreign, ["is not that of the first certificate", "foreign.key"]),
        ] {
            let result = try ChildProcess.run(
                BuildProducts.executable("vaka-server"),
                [
                    "--data", folder.path + "/data", "--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key",
                    key,
                ])
            #expect(result.status == .exited(1), "\(certificate) \(key)")
            for word in words { #expect(result.errors.contains(word), "\(word): \(result.errors)") }
        }
        let half = try ChildProcess.run(
            BuildProducts.executable("vaka-server"), ["--data", folder.path + "/data", "--tls-cert", certificate])
        #expect(half.status == .exited(2))
        #expect(half.errors.contains("--tls-key"))
    }
}
