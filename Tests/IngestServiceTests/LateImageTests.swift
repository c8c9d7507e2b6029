// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

struct LateImageTests {
    @Test func `an image that comes late mends the same event and keeps the issue`() throws {
        let server = try ServerProcess()
        let build = try BuiltProgram(TemporaryFolder(), padding: "")
        _ = try server.accepted(try Samples.batch(try build.crash(1)))
        let before = try server.event(1)
        #expect(before.threads[0].frames.allSatisfy { $0.status == .missingImage && $0.function == nil })
        #expect(before.debugImages[0].status == .missing)
        #expect(!before.loss.isEmpty, "what is missing is said")
        #expect(try server.json("issues/1")["provisional"] == true)

        #expect(try server.upload(build.data).status == 201)
        let after = try server.event(1) { $0.threads[0].frames.first?.function == "fail" }
        #expect(after.threads[0].frames.map(\.function) == ["fail", "main"])
        #expect(after.threads[0].frames.map { $0.file?.hasSuffix("program0.c") } == [true, true])
        #expect(after.threads[0].frames.map(\.line) == [4, 7])
        let issues = try server.json("issues")["issues"]?.array ?? []
        #expect(issues.map { $0["id"] } == [1])
        #expect(issues[0]["events"] == 1)
        #expect(issues[0]["provisional"] == false)
        #expect(issues[0]["title"]?.string?.hasSuffix(" in fail") == true)

        // The next one arrives readable, at other addresses, and is the same problem.
        _ = try server.accepted(try Samples.batch(try build.crash(2, base: 0x6666_6666_0000)))
        #expect(try server.event(2).threads[0].frames.first?.function == "fail")
        #expect(try server.json("issues/1")["events"] == 2)
    }

    @Test func `a provisional issue folds into the one its symbols name`() throws {
        let server = try ServerProcess()
        let folder = try TemporaryFolder()
        let old = try BuiltProgram(folder, padding: "")
        let new = try BuiltProgram(folder, padding: "int other(int x) { return x * 3; }")
        #expect(old.buildID != new.buildID)
        _ = try server.accepted(try Samples.batch(try old.crash(1)))
        _ = try server.event(1)
        #expect(try server.upload(new.data).status == 201)
        _ = try server.accepted(try Samples.batch(try new.crash(2)))
        _ = try server.event(2)
        #expect(try server.json("issues")["issues"]?.array.count == 2)

        #expect(try server.upload(old.data).status == 201)
        _ = try server.event(1) { $0.threads[0].frames.first?.function == "fail" }
        #expect(try server.json("issues")["issues"]?.array.map { $0["id"] } == [2])
        #expect(try server.json("issues/1")["id"] == 2, "the old address leads there")
        #expect(try server.json("issues/2")["events"] == 2)
        let page = try server.client.send("GET", "/issues/1", headers: try server.session())
        #expect(page.status == 303)
        #expect(page.headers["location"] == "/issues/2")
    }

    @Test func `reports survive a kill while they wait for their image`() throws {
        let first = try ServerProcess()
        let build = try BuiltProgram(TemporaryFolder(), padding: "")
        _ = try first.accepted(try Samples.batch(try build.crash(1)))
        _ = try first.event(1)
        #expect(try first.upload(build.data).status == 201)
        first.process.kill(9)
        _ = try first.process.wait()
        let second = try ServerProcess(folder: first.folder)
        #expect(try second.event(1) { $0.threads[0].frames.first?.function == "fail" }.eventID == Samples.eventID(1))
    }

    @Test func `captured memory is kept while frames wait, and never shown`() throws {
        let server = try ServerProcess()
        let build = try BuiltProgram(TemporaryFolder(), padding: "")
        var event = try build.crash(1)
        event.threads[0].stack = MemoryRegion(
            address: HexAddress(0x7ffc_0000_0000), data: Data(repeating: 7, count: 4096))
        _ = try server.accepted(try Samples.batch(event))
        #expect(try server.event(1).threads[0].stack == nil)
        #expect(try server.get("events/\(Samples.eventID(1))").headers["vaka-memory"] == "kept")
        #expect(try server.upload(build.data).status == 201)
        _ = try server.event(1) { $0.threads[0].frames.first?.function == "fail" }
        #expect(try server.get("events/\(Samples.eventID(1))").headers["vaka-memory"] == "dropped")
    }
}
