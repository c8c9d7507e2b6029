// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct LogTests {
    /// Something is set aside, so that it is logged; then the server ends.
    private func said(_ arguments: [String]) throws -> (lines: [String], secrets: [String]) {
        let server = try ServerProcess(arguments)
        let item = Samples.unreadable(1, id: "a\\nb \\\"c\\\"")
        _ = try server.accepted(Samples.batch([item, try Samples.item(Samples.crash(2))]))
        _ = try server.event(2)
        let cookie = try server.session()["Cookie"] ?? ""
        server.process.kill(SIGTERM)
        let errors = try server.process.wait().errors
        let secrets = [server.credentials.ingestKey, server.credentials.adminToken, cookie]
        return (errors.split(separator: "\n").map(String.init), secrets)
    }

    @Test func `as JSON each line is an object with time, level, event and fields, and none has a secret`() throws {
        let (lines, secrets) = try said(["--log-format", "json"])
        let entries = try lines.map { try ModelCoding.decode(JSONValue.self, from: Data($0.utf8)) }
        #expect(
            entries.compactMap { $0["event"]?.string }
                == ["first_start", "started", "event_not_symbolicated", "item_set_aside", "stopped"])
        for entry in entries {
            #expect(entry["time"]?.string.flatMap { Timestamp(rfc3339: $0) } != nil)
            #expect(["info", "warning", "error"].contains(entry["level"]?.string))
            #expect(entry["message"]?.string?.isEmpty == false && entry["fields"]?.object != nil)
        }
        #expect(entries[3]["level"] == "warning" && entries[3]["fields"]?["id"] == "a\nb \"c\"")
        #expect(entries[3]["fields"]?["kind"] == "event")
        for line in lines { for secret in secrets { #expect(!line.contains(secret)) } }
    }

    @Test func `as text each line begins with time, level and event`() throws {
        let (lines, secrets) = try said([])
        let events = lines.filter { $0.hasPrefix("20") }
        #expect(events.count == 4, "\(lines)")
        #expect(events.allSatisfy { $0.contains(/^\S+Z (info|warning|error) [a-z_]+: \S/) }, "\(events)")
        #expect(
            events.contains { $0.contains(" warning item_set_aside: ") && $0.contains("a\u{fffd}b") }, "one line each")
        #expect(!events.contains { event in secrets.contains { event.contains($0) } })
    }

    @Test func `what is said over and over is said once a minute, with how often`() {
        let repetition = LogRepetition()
        let start = ContinuousClock.now
        #expect(repetition.take("a", now: start) == 0)
        for second in 1..<60 { #expect(repetition.take("a", now: start + .seconds(second)) == nil) }
        #expect(repetition.take("b", now: start + .seconds(1)) == 0)
        #expect(repetition.take("a", now: start + .seconds(60)) == 59)
        #expect(repetition.take("a", now: start + .seconds(61)) == nil)
        #expect(repetition.take("b", now: start + .seconds(100)) == 0)
        // It takes no more memory the more there is to say, and nothing new is kept back.
        for number in 0..<1000 { #expect(repetition.take("\(number)", now: start + .seconds(101)) == 0) }
        #expect(repetition.take("7", now: start + .seconds(200)) == 0)
    }

    @Test func `another format is wrong usage, and what keeps it from starting is told in the format`() throws {
        let folder = try TemporaryFolder()
        let program = BuildProducts.executable("vaka-server")
        let wrong = try ChildProcess(program, ["--data", folder.path, "--log-format", "xml"]).wait()
        #expect(wrong.status == .exited(2) && wrong.errors.contains("text or json"))
        let failed = try ChildProcess(
            program, ["--data", folder.path, "--listen", "192.0.2.1:1", "--log-format", "json"]
        ).wait()
        let entry = try ModelCoding.decode(JSONValue.self, from: Data(failed.errors.utf8))
        #expect(failed.status == .exited(1) && entry["event"] == "not_started")
    }
}
