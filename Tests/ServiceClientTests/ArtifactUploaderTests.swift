// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
import HTTPClient
import TestSupport
import Testing
import VakaModel

@testable import ServiceClient

@Suite struct ArtifactUploaderTests {
    let clock = SleepingClock()
    let buildID = BuildID(hex: "00112233445566778899aabbccddeeff00112233")!

    func uploader(_ server: ScriptedServer, project: String = "default") throws -> ArtifactUploader {
        ArtifactUploader(
            endpoint: try ServiceEndpoint(url: server.url + "/"), token: "va_test", project: project,
            retry: clock.policy())
    }

    func stored(_ outcome: String, status: Int = 201) -> ScriptedServer.Answer {
        .init(status: status, body: ["build_id": .string(buildID.description), "outcome": .string(outcome)])
    }

    @Test func aFileIsStreamedUnchanged() throws {
        let server = try ScriptedServer(default: stored("stored"))
        let folder = try TemporaryFolder()
        let file = folder.path + "/my app.debug"
        let size = 24 << 20
        try makeFile(file, bytes: size)

        var steps: [Int64] = []
        let outcome = try uploader(server, project: "a/b").upload(
            file: file, buildID: buildID, release: "app@1 β"
        ) { sent, total in
            #expect(total == Int64(size))
            steps.append(sent)
        }
        #expect(outcome.outcome == .stored)
        #expect(steps.last == Int64(size))
        #expect(steps == steps.sorted())

        let request = try #require(try server.requests().first)
        #expect(
            request.path
                == "/api/v1/projects/a%2Fb/artifacts?kind=native&name=my%20app.debug&release=app%401%20%CE%B2")
        #expect(request.headers["authorization"] == "Bearer va_test")
        #expect(request.bytes == size)
        let sum = try ChildProcess.run("/usr/bin/env", ["sha256sum", file]).output.prefix(64)
        #expect(request.sha256 == sum)
    }

    @Test func aRepeatedTryStartsAtTheFilesBeginning() throws {
        let server = try ScriptedServer(
            answers: [.init(status: 503), .init(cut: true)], default: stored("already_there", status: 200))
        let folder = try TemporaryFolder()
        try makeFile(folder.path + "/a", bytes: 5000)
        let outcome = try uploader(server).upload(
            file: folder.path + "/a", buildID: buildID, release: nil, progress: nil)
        #expect(outcome.outcome == .alreadyThere)
        let requests = try server.requests()
        #expect(requests.map(\.bytes) == [5000, 5000, 5000])
        #expect(Set(requests.map(\.sha256)).count == 1)
        #expect(requests[0].path.hasSuffix("/artifacts?kind=native&name=a"))
    }

    @Test func theServersReasonComesThrough() throws {
        let body: JSONValue = ["error": ["code": "not_elf", "message": "a is no ELF file; upload the program itself"]]
        let server = try ScriptedServer(default: .init(status: 422, body: body))
        let folder = try TemporaryFolder()
        try makeFile(folder.path + "/a", bytes: 10)
        let error = #expect(throws: ServiceError.self) {
            try uploader(server).upload(file: folder.path + "/a", buildID: buildID, release: nil, progress: nil)
        }
        #expect(error?.code == .refused)
        #expect(error?.serverCode == "not_elf")
        #expect(error?.message.contains("upload the program itself") == true)
    }

    @Test func unreadableFiles() throws {
        let server = try ScriptedServer()
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.path + "/missing"] {
            let error = #expect(throws: ServiceError.self) {
                try uploader(server).upload(file: path, buildID: buildID, release: nil, progress: nil)
            }
            #expect(error?.code == .fileUnreadable)
        }
        #expect(try server.requests().isEmpty)
    }

    @Test func whatTheServiceHas() throws {
        let first: JSONValue = [
            "artifacts": .array([
                [
                    "build_id": .string(buildID.description), "has_code": true, "has_debug_info": false, "size": 12,
                    "name": "app",
                ]
            ]), "next_cursor": "p2",
        ]
        let second: JSONValue = ["artifacts": .array([]), "next_cursor": .null]
        let server = try ScriptedServer(answers: [.init(status: 200, body: first), .init(status: 200, body: second)])
        let artifacts = try uploader(server).existing(buildID: buildID)
        #expect(artifacts.map(\.name) == ["app"])
        #expect(artifacts.first?.hasCode == true)
        #expect(artifacts.first?.hasDebugInfo == false)
        #expect(
            try server.requests().map(\.path) == [
                "/api/v1/projects/default/artifacts?build_id=\(buildID)",
                "/api/v1/projects/default/artifacts?build_id=\(buildID)&cursor=p2",
            ])
    }

    private func makeFile(_ path: String, bytes: Int) throws {
        var block = Data(count: 1 << 16)
        for index in block.indices { block[index] = UInt8(truncatingIfNeeded: index &* 31) }
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        var left = bytes
        while left > 0 {
            let count = min(left, block.count)
            block.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, count, file) }
            left -= count
        }
    }
}
