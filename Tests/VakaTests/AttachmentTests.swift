// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Files that travel with reports, of real programs.
@Suite struct AttachmentTests {
    let run: ProgramRun
    let server: ScriptedServer

    init() throws {
        run = try ProgramRun()
        server = try ScriptedServer()
    }

    var attachments: [EventAttachment] {
        get throws {
            try server.requests().flatMap(\.items).filter { $0["kind"] == "attachment" }.map { item in
                try ModelCoding.decode(EventAttachment.self, from: ModelCoding.encode(item["payload"]))
            }
        }
    }

    @Test func dataOfAMessage() throws {
        _ = try run.start(server, "attached", "flush=30").wait()
        let event = try #require(try server.events().first)
        let attachments = try attachments
        #expect(attachments.map(\.eventID) == [event.eventID, event.eventID])
        #expect(attachments.map(\.name) == ["request.json", "long"])
        #expect(attachments[0].data == Data("{\"n\":1}".utf8))
        #expect(attachments[0].contentType == "application/json")
        #expect(attachments[1].size == (1 << 20) + 5)
        #expect(attachments[1].offset == 5)
        #expect(attachments[1].data?.count == 1 << 20)
    }

    @Test func aMessageThatIsDroppedTakesThemAlong() throws {
        _ = try run.start(server, "hook=drop", "attached", "flush=30").wait()
        #expect(try attachments.isEmpty)
    }

    @Test func filesOfACrash() throws {
        let log = run.folder.path + "/app.log"
        try Data((0..<200_000).map { "line \($0)\n" }.joined().utf8).write(to: URL(filePath: log))
        let size = try Data(contentsOf: URL(filePath: log)).count
        let small = run.folder.path + "/small"
        try Data("small".utf8).write(to: URL(filePath: small))
        let missing = run.folder.path + "/missing"
        let crash = try run.start(server, "attach=\(log),\(small),\(missing),\(run.folder.path)", "crash").wait()
        #expect(crash.status == .signalled(SIGSEGV))
        // Also what is written after the registration, up to the next start.
        try Data("changed".utf8).write(to: URL(filePath: small))
        _ = try run.start(server, "flush=30").wait()
        let event = try #require(try server.events().first { $0.type == .crash })
        let found = Dictionary(uniqueKeysWithValues: try attachments.map { ($0.name, $0) })
        #expect(found.count == 4)
        #expect(found.values.allSatisfy { $0.eventID == event.eventID })
        #expect(found["small"]?.data == Data("changed".utf8))
        #expect(found["app.log"]?.size == Int64(size))
        #expect(found["app.log"]?.offset == Int64(size - (1 << 20)))
        #expect(found["app.log"]?.data?.suffix(12) == Data("line 199999\n".utf8))
        #expect(found["missing"]?.data == nil)
        #expect(found["missing"]?.missing == "No such file or directory")
        #expect(found[run.folder.path.split(separator: "/").last.map(String.init) ?? ""]?.missing == "it is no file")
    }

    @Test func tenFilesAreKept() throws {
        let paths = (0..<12).map { "/tmp/none-\($0)" }.joined(separator: ",")
        let result = try run.start(server, "attach=\(paths)", "attach=/tmp/none-3").wait()
        let answers = result.output.split(separator: "\n").filter { $0 == "true" || $0 == "false" }
        #expect(answers.map(String.init) == Array(repeating: "true", count: 10) + ["false", "false", "true"])
    }
}
