// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Events of issues that have their minute's worth.
struct ThrottleTests {
    private func metric(_ name: String, _ server: ServerProcess) throws -> Int? {
        let lines = try server.client.send("GET", "/metrics").text.split(separator: "\n")
        return lines.first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    @Test func `beyond the rate an event is counted before it is looked into, and its sender is told`() throws {
        let server = try ServerProcess(["--issue-rate", "3"])
        _ = try server.accepted(Samples.batch(try (1...5).map { try Samples.item(Samples.crash($0)) }))
        try server.eventually { try metric("vaka_events_throttled_total", server) == 2 ? true : nil }
        let early = try #require(try metric("vaka_events_throttled_early_total", server))

        var others = (6...40).map { number in
            var event = Samples.crash(number)
            event.release = "app@2.0"
            // What differs from one event of a problem to the next.
            event.threads.append(ThreadState(id: number, name: "other", crashed: false, frames: []))
            event.user = ["id": .string("user \(number % 7)")]
            return event
        }
        others[0].debugImages[0].buildID = BuildID(hex: "1234")
        let reply = try server.accepted(Samples.batch(try others.map { try Samples.item($0) }))
        #expect(reply.countedOnly == 2, "of what came before")
        try server.eventually { try metric("vaka_events_throttled_total", server) == 36 ? true : nil }
        #expect(try metric("vaka_events_throttled_early_total", server) == early + 34)

        let issue = try server.json("issues/1")
        #expect(issue["events"] == 40 && issue["events_kept"] == 4 && issue["events_counted_only"] == 36)
        #expect(issue["users"] == 8, "the installation, and seven")
        #expect(try server.get("events/\(Samples.eventID(6))").status == 200, "the first crash of its build")
        #expect(try server.get("events/\(Samples.eventID(7))").status == 404)
        let releases = try server.json("issues/1/affected?by=release")["affected"]?.array ?? []
        #expect(releases.first { $0["value"] == "app@2.0" }?["events"] == 35)
        let days = try server.json("issues/1/counts?from=2023-11-14T00:00:00.000Z&to=2023-11-16T00:00:00.000Z")
        #expect(days["counts"]?.array.first?["events"] == 40)
        #expect(try server.json("losses")["losses"]?["service.event.counted_only"] == 36)
        #expect(try server.accepted(Samples.batch([])).countedOnly == 34)
        #expect(try server.accepted(Samples.batch([])).countedOnly == nil, "it is told once")
    }

    @Test func `another problem is looked into while the first one is only counted`() throws {
        let server = try ServerProcess(["--issue-rate", "1"])
        _ = try server.accepted(Samples.batch(try (1...3).map { try Samples.item(Samples.crash($0)) }))
        var other = Samples.crash(10, function: "app.g()")
        other.threads[0].frames[0].relativeAddress = HexAddress(0x800)
        _ = try server.accepted(try Samples.batch(Samples.crash(4), other, Samples.crash(5)))
        _ = try server.event(10)
        try server.eventually { try server.json("issues/1")["events"] == 5 ? true : nil }
        #expect(try server.json("issues/2")["events"] == 1)
    }

    @Test func `a sketch is the same for what differs between events of one problem only`() throws {
        func key(_ change: (inout Event) -> Void) throws -> String? {
            var event = Samples.crash(1, message: "index 7 is out of range")
            change(&event)
            return ProblemSketch(try ModelCoding.encode(event))?.key
        }
        let key0 = try #require(try key { _ in })
        #expect(try key { $0.reason?.message = "index 12345 is out of range" } == key0)
        #expect(try key { $0.threads.append(ThreadState(id: 9, name: "b", crashed: false, frames: [])) } == key0)
        #expect(try key { $0.threads[0].frames[0].instructionAddress = HexAddress(0x7f00_1010) } == key0)
        #expect(try key { $0.tags = ["a": "b"] } == key0)
        #expect(try key { $0.reason?.message = "index is wrong" } != key0)
        #expect(try key { $0.reason?.signal = "SIGBUS" } != key0)
        #expect(try key { $0.reason?.senderPID = 1 } != key0)
        #expect(try key { $0.fingerprint = ["mine"] } != key0)
        #expect(try key { $0.threads[0].frames[0].relativeAddress = HexAddress(0x20) } != key0)
        #expect(try key { $0.threads[0].frames[0].buildID = BuildID(hex: "ffff") } != key0)
        #expect(try key { $0.threads[0].frames += $0.threads[0].frames } != key0)
        #expect(try key { $0.type = .error } != key0)
    }

    @Test func `what only a worker can tell has no sketch`() throws {
        var cut = Samples.crash(1)
        cut.threads[0].framesTruncated = true
        #expect(ProblemSketch(try ModelCoding.encode(cut)) != nil, "nothing is there to unwind it further")
        cut.threads[0].stack = MemoryRegion(address: HexAddress(0x7000), data: Data(repeating: 1, count: 64))
        #expect(ProblemSketch(try ModelCoding.encode(cut)) == nil)
        var bare = Samples.crash(1)
        bare.threads[0].frames = []
        #expect(ProblemSketch(try ModelCoding.encode(bare)) == nil)
        #expect(ProblemSketch(Data("{".utf8)) == nil)
        #expect(ProblemSketch(Data("[]".utf8)) == nil)
    }

    @Test func `keys are known as long as all events of a sketch have them and the images stay the same`() {
        func keys(_ value: String) -> KnownProblems.Keys {
            KnownProblems.Keys(keys: [IssueKey(kind: "F", value: value)], groupingVersion: 3, basis: .names)
        }
        let problems = KnownProblems()
        problems.learn(keys("a"), of: "s", project: 1, imageRevision: 1)
        #expect(problems.keys(of: "s", project: 1, imageRevision: 1) == keys("a"))
        #expect(problems.keys(of: "s", project: 2, imageRevision: 1) == nil)
        #expect(problems.keys(of: "s", project: 1, imageRevision: 2) == nil)
        problems.learn(keys("b"), of: "s", project: 1, imageRevision: 1)
        problems.learn(keys("b"), of: "s", project: 1, imageRevision: 1)
        #expect(problems.keys(of: "s", project: 1, imageRevision: 1) == nil, "it had others before")
        problems.learn(keys("b"), of: "s", project: 1, imageRevision: 2)
        #expect(problems.keys(of: "s", project: 1, imageRevision: 2) == keys("b"))
        problems.learn(keys("a"), of: "s", project: 1, imageRevision: 1)
        #expect(problems.keys(of: "s", project: 1, imageRevision: 2) == keys("b"), "that was begun before")
        problems.forget(keys("b").keys, project: 1)
        #expect(problems.keys(of: "s", project: 1, imageRevision: 2) == nil)
        for number in 0..<20_000 { problems.learn(keys("c"), of: "s\(number)", project: 1, imageRevision: 2) }
        #expect(problems.keys(of: "s19999", project: 1, imageRevision: 2) == keys("c"))
        #expect(problems.keys(of: "s0", project: 1, imageRevision: 2) == nil, "so many are not kept")
    }
}
