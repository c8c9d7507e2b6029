// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Images stay while an event needs them; the others are listed and removed.
struct UnusedImageTests {
    private struct Built {
        var data: Data
        var buildID: BuildID
    }

    private func build(_ folder: TemporaryFolder, _ name: String) throws -> Built {
        let path = try CompiledProgram.build(
            name, source: "int \(name)(int x) { return x; }\nint main(void) { return \(name)(0); }\n", extension: "c",
            compiler: "gcc", flags: ["-g", "-O0", "-Wl,--build-id=sha1"], in: folder)
        let notes = try CompiledProgram.tool("readelf", ["-n", path])
        return Built(
            data: try Data(contentsOf: URL(filePath: path)),
            buildID: try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]+)/).flatMap { BuildID(hex: $0.1) }))
    }

    private func crash(_ number: Int, in image: BuildID) -> Event {
        var event = Samples.crash(number)
        event.threads[0].frames[0].buildID = image
        event.debugImages[0].buildID = image
        return event
    }

    private func vaka(_ server: ServerProcess, _ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run(
            BuildProducts.executable("vaka"),
            ["images"] + arguments
                + ["--url", server.credentials.url, "--token", server.credentials.adminToken])
    }

    @Test func `an image that an event needs stays, and goes when no event does`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let (needed, unneeded) = (try build(folder, "needed"), try build(folder, "unneeded"))
        for image in [needed, unneeded] { #expect(try server.upload(image.data).status == 201) }
        // The first and last events of the issue are others, so that the one in the image can go.
        let other = try #require(BuildID(hex: "abcd"))
        for (number, image) in [(1, other), (2, needed.buildID), (3, other)] {
            _ = try server.accepted(try Samples.batch(crash(number, in: image)))
            _ = try server.event(number)
        }
        let merged = try server.client.send(
            "POST", "/api/v1/projects/default/issues/2/merge",
            headers: server.tokenHeader.merging(["Content-Type": "application/json"]) { first, _ in first },
            body: Data("{\"into\":1}".utf8))
        #expect(merged.status == 200, "\(merged.text)")
        func unused() throws -> [String] {
            try server.json("artifacts?unused_days=0")["artifacts"]?.array.compactMap { $0["build_id"]?.string } ?? []
        }
        #expect(try unused() == [unneeded.buildID.description])
        #expect(try server.json("artifacts?build_id=\(needed.buildID)")["artifacts"]?.array.first?["events"] == 1)
        #expect(try server.json("artifacts?unused_days=1")["artifacts"]?.array.isEmpty == true, "they are new")
        #expect(try server.get("artifacts?unused_days=-1").status == 400)

        let listed = try vaka(server, ["--unused", "0"])
        #expect(listed.status == .exited(0) && listed.output.contains("\(unneeded.buildID)"), "\(listed.errors)")
        #expect(!listed.output.contains("\(needed.buildID)"))
        #expect(try vaka(server, ["--remove"]).status == .exited(2))
        let removed = try vaka(server, ["--unused", "0", "--remove"])
        #expect(removed.output.hasPrefix("1 removed, "), "\(removed.output)\(removed.errors)")
        func debuginfo(_ image: Built) throws -> Int {
            try server.client.send("GET", "/buildid/\(image.buildID)/debuginfo", headers: server.tokenHeader).status
        }
        #expect(try debuginfo(unneeded) == 404 && debuginfo(needed) == 200)
        let hex = unneeded.buildID.description
        #expect(server.folder.entries("data/images/\(hex.prefix(2))").allSatisfy { !hex.hasSuffix($0) })

        _ = try server.client.send(
            "PUT", "/api/v1/projects/default/limits?keep_issue_events=2", headers: server.tokenHeader)
        try server.eventually { try unused() == [needed.buildID.description] ? true : nil }
        let answer = try server.client.send(
            "POST", "/api/v1/projects/default/artifacts/remove-unused?unused_days=0", headers: server.tokenHeader)
        #expect(answer.status == 200 && answer.text.contains("\"removed\":1"), "\(answer.text)")
        #expect(try debuginfo(needed) == 404)
        // What was removed can come again.
        #expect(try server.upload(needed.data).status == 201)
        #expect(try debuginfo(needed) == 200)
    }

    @Test func `who can give what is missing is told by API and page`() throws {
        let server = try ServerProcess()
        var event = crash(1, in: try #require(BuildID(hex: "0123456789abcdef")))
        event.threads[0].frames[0].status = nil
        event.threads[0].frames[0].function = nil
        event.threads[0].frames[0].symbol = nil
        _ = try server.accepted(try Samples.batch(event))
        _ = try server.event(1)
        let missing = try server.json("events/\(Samples.eventID(1))/missing-images")["missing_images"]?.array ?? []
        #expect(missing.count == 1 && missing[0]["supplier"] == "you" && missing[0]["frames"] == 1)
        let command = "vaka upload debug --url \(server.credentials.url) /opt/app"
        #expect(missing[0]["command"]?.string == command)
        let page = try server.client.send("GET", "/events/\(Samples.eventID(1))", headers: try server.session())
        #expect(page.text.contains("What would make it readable") && page.text.contains(command))
        #expect(try server.get("events/00/missing-images").status == 404)
    }
}
