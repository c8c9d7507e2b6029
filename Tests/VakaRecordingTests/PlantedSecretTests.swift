// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Glibc
import Symbolication
import TestSupport
import Testing
import VakaModel

/// Every secret of the program's screen holds the word `planted`, and so does what the program has of it in registers and on
/// its stack when it crashes; it must be nowhere but in the program's memory.
@Suite struct PlantedSecretTests {
    private static let secret = "planted"

    /// With the memory that a crash has by default, and with what registers point into.
    @Test func nothingMaskedLeavesTheProcessInAnyForm() throws {
        let run = try RecordingRun(
            ["screen_recording_privacy": "mask_inputs", "screen_recording_quality": "high"], default: .init(status: 503)
        )
        _ = try run.start("busy", "taken=2", "screen=one", "tap=20,20", "tap=10,410", "taken=1", "stop", "exit").wait()
        #expect(try run.start("busy", "taken=2", "crash").wait().status == .signalled(SIGSEGV))
        #expect(try run.start("registers", "busy", "taken=2", "crash").wait().status == .signalled(SIGSEGV))
        let stored = try run.stored()
        // The queue's files, the run file, the crash record, the last moments; and they do hold what may be told.
        for kind in [".recording.json", ".vakarun", ".vakacrash", ".moments"] { #expect(stored.contains(kind)) }
        #expect(stored.contains("Order now") && stored.contains("Springfield"))
        #expect(!stored.contains(Self.secret))
        // Nor encoded.
        #expect(!stored.contains(Data(Self.secret.utf8).base64EncodedString()))

        // The socket's bytes, unpacked.
        try run.server.setDefault(.init())
        _ = try run.start("flush", "stop", "exit").wait()
        let sent = String(decoding: try ModelCoding.encode(try run.server.requests().map(\.body)), as: UTF8.self)
        #expect(sent.contains("Order now") && sent.contains("\"type\":\"crash\""))
        #expect(!sent.contains(Self.secret))
        let crashes = try run.events(.crash)
        // What a service that was away was offered comes again.
        #expect(Set(crashes.map(\.eventID)).count == 2)
        for crash in crashes { try check(crash) }
    }

    /// No text is in the memory that came with a crash, and that memory alone leads to every frame.
    private func check(_ crash: Event) throws {
        let regions = crash.threads.compactMap(\.stack) + (crash.memory ?? [])
        #expect(regions.count >= crash.threads.count)
        for region in regions { #expect(region.data.firstRange(of: Data(Self.secret.utf8)) == nil) }
        let text = String(decoding: try ModelCoding.encode(crash), as: UTF8.self)
        // As a number: the first letter comes last.
        #expect(!text.contains("6465746e616c70"))
        #expect(crash.threads.allSatisfy { $0.pointersOnly == true })
        var bare = crash
        for index in bare.threads.indices { bare.threads[index].frames = [] }
        let frames = try #require(Symbolicator(finder: ImageFinder()).symbolicate(bare).crashedThread).frames
        let own = frames.filter { $0.file?.hasSuffix("/TypedSecret.swift") == true && !$0.inlined }
        let names = ["raise(with:)", "beneath(_:_:_:)", "crash()"]
        for name in names {
            #expect(own.contains { $0.function?.contains(name) == true && ($0.line ?? 0) > 0 }, "\(name): \(own)")
        }
        let main = frames.last { $0.file?.hasSuffix("/main.swift") == true }
        #expect(main?.function != nil && main?.line != nil)
        #expect(frames.allSatisfy { $0.trust == .context || $0.trust == .cfi })
    }

    @Test func nothingMaskedIsInTheServicesDatabase() throws {
        let run = try RecordingRun()
        let service = try ServerProcess()
        let settings = try service.client.send(
            "POST", "/api/v1/projects/\(service.credentials.project)/sdk-settings",
            headers: service.tokenHeader.merging(["Content-Type": "application/json"]) { first, _ in first },
            body: Data(#"{"screen_recording": true, "screen_recording_privacy": "mask_inputs"}"#.utf8))
        #expect(settings.status == 200)
        let key = "key=\(service.credentials.ingestKey)"
        let url = service.credentials.url
        _ = try run.start(key, "busy", "taken=2", "crash", url: url).wait()
        _ = try run.start(key, "registers", "busy", "taken=2", "crash", url: url).wait()
        _ = try run.start(key, "flush", "stop", "exit", url: url).wait()
        let listed = try service.eventually { () -> String? in
            let answer = try service.get("recordings")
            return answer.text.contains("\"event_id\":\"") ? answer.text : nil
        }
        #expect(!listed.contains(Self.secret))
        let list = try ModelCoding.decode(JSONValue.self, from: Data(listed.utf8))
        guard case .array(let parts) = list["recordings"], case .integer(let id) = parts.first?["id"] else {
            Issue.record("no recording is listed")
            return
        }
        let one = try service.get("recordings/\(id)").text
        #expect(one.contains("Order now") && !one.contains(Self.secret))
        let named = parts.compactMap { $0["event_id"]?.string }
        let event = try #require(named.first)
        let machine = try service.eventually { () -> String? in
            let answer = try service.get("events/\(event)/machine")
            return answer.text.contains("\"registers\":[{") ? answer.text : nil
        }
        #expect(machine.contains("\"pointers_only\":true"))
        // As bytes, and as a number.
        #expect(!machine.contains("706c616e746564") && !machine.contains("6465746e616c70"))
        let folder = service.folder.path + "/data"
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
            #expect(data.firstRange(of: Data(Self.secret.utf8)) == nil, "\(name)")
        }
    }
}
