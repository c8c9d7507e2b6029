// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Lines of code lead to their host.
struct SourceLinkTests {
    private func frame(_ file: String?, line: Int? = 7, inApp: Bool = true) -> Frame {
        var frame = Frame(instructionAddress: HexAddress(0x10), trust: .cfi, inApp: inApp, status: .symbolicated)
        frame.file = file
        frame.line = line
        return frame
    }

    @Test func `a frame's line has an address below the project's prefix`() {
        let link = SourceLink(template: "https://host/o/r/blob/{commit}/{path}#L{line}", prefix: "/build/app")
        let links = SourceLinks(link, revision: "abc/1")
        func address(_ frame: Frame) -> String? { links?.address(of: frame) }
        #expect(
            address(frame("/build/app/Sources/a b/{line}.swift"))
                == "https://host/o/r/blob/abc%2F1/Sources/a%20b/%7Bline%7D.swift#L7")
        #expect(address(frame("/usr/include/x.h")) == nil, "other code")
        #expect(address(frame("/build/app/../../etc/x")) == nil)
        #expect(address(frame("/build/app/a.c", inApp: false)) == nil)
        #expect(address(frame("/build/app/a.c", line: nil)) == nil && address(frame(nil)) == nil)
        #expect(SourceLinks(link, revision: nil) == nil, "without a commit there is no address")
        let plain = SourceLinks(SourceLink(template: "https://host/{path}", prefix: nil), revision: nil)
        #expect(plain?.address(of: frame("src/a.c")) == "https://host/src/a.c")
        #expect(plain?.address(of: frame("/build/src/a.c")) == nil)
    }

    @Test(
        arguments: [
            ("app@1.2+0123abc", "0123abc"), ("app@1.2", nil), ("app@1.2+build5", nil), ("app@1.2+abc", nil),
        ] as [(String, String?)])
    func `a release's name may tell its commit`(release: String, commit: String?) {
        #expect(SourceLinks.commit(ofRelease: release) == commit)
    }

    @Test func `the commit of a release is told by upload, and pages and API link to it`() throws {
        let server = try ServerProcess()
        let json = server.tokenHeader.merging(["Content-Type": "application/json"]) { first, _ in first }
        func put(_ body: String) throws -> HTTPClient.Response {
            try server.client.send("PUT", "/api/v1/projects/default/source-link", headers: json, body: Data(body.utf8))
        }
        #expect(try put("{\"template\":\"javascript:{path}\"}").status == 400)
        #expect(try put("{\"template\":\"https://host/{commit}/{path}#L{line}\",\"prefix\":\"/src/\"}").status == 200)
        #expect(try server.json("source-link")["prefix"] == "/src/")
        var event = Samples.crash(1)
        event.threads[0].frames[0].file = "/src/main.swift"
        event.threads[0].frames[0].line = 12
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        let path = "events/\(Samples.eventID(1))/source-links"
        #expect(try server.json(path)["source_links"]?.array.isEmpty == true, "nobody told the commit")

        let folder = try TemporaryFolder()
        let program = try CompiledProgram.build(
            "program", source: "int main(void) { return 0; }\n", extension: "c", compiler: "gcc",
            flags: ["-g", "-Wl,--build-id=sha1"], in: folder)
        let arguments = [
            "upload", "debug", program, "--url", server.credentials.url, "--token", server.credentials.adminToken,
        ]
        let command = BuildProducts.executable("vaka")
        #expect(
            try ChildProcess.run(command, arguments + ["--commit", "feed"]).status == .exited(2), "of which release?")
        let uploaded = try ChildProcess.run(command, arguments + ["--release", "app@1.0", "--commit", "feed"])
        #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
        let links = try server.json(path)["source_links"]?.array ?? []
        #expect(links.first?["url"] == "https://host/feed/main.swift#L12" && links.first?["line"] == 12)
        let page = try server.client.send("GET", "/events/\(Samples.eventID(1))", headers: try server.session())
        #expect(page.text.contains("<a href=\"https://host/feed/main.swift#L12\" rel=\"noreferrer\">"), "\(page.text)")
        #expect(try put("{}").status == 200)
        #expect(try server.json(path)["source_links"]?.array.isEmpty == true)
    }
}
