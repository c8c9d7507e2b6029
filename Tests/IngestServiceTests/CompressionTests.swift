// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct CompressionTests {
    static func unpacked(_ data: Data) throws -> String {
        let decompressor = Decompressor(.gzip)
        var output = Data()
        try Array(data).withUnsafeBytes { try decompressor.decompress($0, into: &output, limit: 64 << 20) }
        try decompressor.finish()
        return String(decoding: output, as: UTF8.self)
    }

    /// Without what differs from page to page.
    private func plain(_ page: String) -> String { page.replacing(/name="form" value="[^"]+"/, with: "") }

    @Test func `pages and documents are compressed for those who take it`() throws {
        let server = try ServerProcess()
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        _ = try server.event(1)
        let session = try server.session()
        for (path, headers) in [
            ("/issues/1", session), ("/style.css", [:]), ("/openapi.json", [:]),
            ("/api/v1/projects/default/events/\(Samples.eventID(1))", server.tokenHeader),
        ] {
            let whole = try server.client.send("GET", path, headers: headers)
            #expect(whole.headers["content-encoding"] == nil && whole.headers["vary"] == "Accept-Encoding", "\(path)")
            let packed = try server.client.send(
                "GET", path, headers: headers.merging(["Accept-Encoding": "br, gzip;q=0.5"]) { $1 })
            #expect(
                packed.headers["content-encoding"] == "gzip" && packed.headers["vary"] == "Accept-Encoding", "\(path)")
            #expect(packed.headers["content-length"] == "\(packed.body.count)")
            #expect(packed.body.count < whole.body.count)
            #expect(plain(try Self.unpacked(packed.body)) == plain(whole.text), "\(path)")
            for refusal in ["gzip;q=0", "br", "identity, gzip; q=0.0"] {
                let other = try server.client.send(
                    "GET", path, headers: headers.merging(["Accept-Encoding": refusal]) { $1 })
                #expect(other.headers["content-encoding"] == nil, "\(path) \(refusal)")
            }
        }
        // What is too small to gain, and what is compressed already, goes as it is.
        let small = try server.client.send("GET", "/healthz", headers: ["Accept-Encoding": "gzip"])
        #expect(small.headers["content-encoding"] == nil && small.headers["vary"] == nil)
    }

    @Test func `the size of a page and the proof in it vary, so that neither can be guessed by the other`() throws {
        let server = try ServerProcess()
        let session = try server.session().merging(["Accept-Encoding": "gzip"]) { $1 }
        var (sizes, proofs): (Set<Int>, Set<String>) = ([], [])
        for _ in 0..<12 {
            let page = try server.client.send("GET", "/", headers: session)
            sizes.insert(page.body.count)
            let text = try Self.unpacked(page.body)
            proofs.formUnion(text.matches(of: /name="form" value="([^"]+)"/).map { String($0.1) })
        }
        #expect(sizes.count > 3, "\(sizes)")
        #expect(proofs.count >= 12)
        #expect(Set(proofs.map(Secrets.unmasked)).count == 1, "it is the same proof each time")
    }

    @Test func `masking is undone, and nothing else is taken`() {
        let secret = Secrets.random()
        let masks = (0..<50).map { _ in Secrets.masked(secret) }
        #expect(Set(masks).count == 50 && masks.allSatisfy { Secrets.unmasked($0) == secret })
        for wrong in ["", "a", secret, secret + secret.dropLast(), String(masks[0].dropLast()) + "!"] {
            #expect(Secrets.unmasked(wrong) != secret, "\(wrong)")
        }
        #expect(Secrets.unmasked("ab<") == "")
    }
}
