// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

struct LateImageTests {
    /// A program and where its functions lie.
    private struct Build {
        var data: Data
        var buildID: BuildID
        var symbols: [String: UInt64]

        /// `padding` gives another build of the same source: other addresses, another build id.
        init(_ folder: TemporaryFolder, padding: String) throws {
            let source = """
                \(padding)
                volatile int sink;
                __attribute__((noinline)) int fail(int *p) {
                    return *p;
                }
                int main(int count, char **words) {
                    sink = fail((int *)(long)(count - 1));
                    return sink;
                }
                """
            let path = try CompiledProgram.build(
                "program\(padding.utf8.count)", source: source, extension: "c", compiler: "gcc",
                flags: ["-g", "-O0", "-fno-inline"], in: folder)
            data = try Data(contentsOf: URL(filePath: path))
            let notes = try CompiledProgram.tool("readelf", ["-n", path])
            buildID = try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]+)/).flatMap { BuildID(hex: $0.1) })
            symbols = [:]
            for line in try CompiledProgram.tool("nm", [path]).split(separator: "\n") {
                let parts = line.split(separator: " ")
                if parts.count == 3, let address = UInt64(parts[0], radix: 16) { symbols[String(parts[2])] = address }
            }
        }

        /// A crash in `fail`, called by `main`, as the handler leaves it: addresses only.
        func crash(_ number: Int, base: UInt64 = 0x5555_5555_4000) throws -> Event {
            var event = Samples.crash(number)
            let places = [try #require(symbols["fail"]) + 8, try #require(symbols["main"]) + 20]
            event.threads[0].frames = places.enumerated().map { index, offset in
                Frame(
                    instructionAddress: HexAddress(base + offset), trust: index == 0 ? .context : .cfi,
                    module: "program",
                    buildID: buildID, relativeAddress: HexAddress(offset))
            }
            event.debugImages = [
                DebugImage(
                    buildID: buildID, codeFile: "/srv/nowhere/program", imageAddress: HexAddress(base),
                    imageSize: 0x5000,
                    loadBias: HexAddress(base))
            ]
            return event
        }
    }

    @Test func `an image that comes late mends the same event and keeps the issue`() throws {
        let server = try ServerProcess()
        let build = try Build(TemporaryFolder(), padding: "")
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
        let old = try Build(folder, padding: "")
        let new = try Build(folder, padding: "int other(int x) { return x * 3; }")
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
        let build = try Build(TemporaryFolder(), padding: "")
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
        let build = try Build(TemporaryFolder(), padding: "")
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
