// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Every secret of the program's screen holds the word `planted`; it must be nowhere but in the program's memory.
@Suite struct PlantedSecretTests {
    private static let secret = "planted"

    /// The stack and the memory that registers point into are the process's own memory: a crash takes them along whole. What is
    /// looked into here is all else.
    @Test func nothingMaskedLeavesTheProcessInAnyForm() throws {
        let run = try RecordingRun(
            ["screen_recording_privacy": "mask_inputs", "screen_recording_quality": "high"], default: .init(status: 503)
        )
        _ = try run.start("bare", "busy", "taken=2", "screen=one", "tap=20,20", "tap=10,410", "taken=1", "stop", "exit")
            .wait()
        _ = try run.start("bare", "busy", "taken=2", "crash").wait()
        let stored = try run.stored()
        // The queue's files, the run file, the crash record, the last moments; and they do hold what may be told.
        for kind in [".recording.json", ".vakarun", ".vakacrash", ".moments"] { #expect(stored.contains(kind)) }
        #expect(stored.contains("Order now") && stored.contains("Springfield"))
        #expect(!stored.contains(Self.secret))
        // Nor encoded.
        #expect(!stored.contains(Data(Self.secret.utf8).base64EncodedString()))

        // The socket's bytes, unpacked.
        try run.server.setDefault(.init())
        _ = try run.start("bare", "flush", "stop", "exit").wait()
        let sent = String(decoding: try ModelCoding.encode(try run.server.requests().map(\.body)), as: UTF8.self)
        #expect(sent.contains("Order now") && sent.contains("\"type\":\"crash\""))
        #expect(!sent.contains(Self.secret))
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
        _ = try run.start("bare", key, "busy", "taken=2", "crash", url: url).wait()
        _ = try run.start("bare", key, "flush", "stop", "exit", url: url).wait()
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
        let folder = service.folder.path + "/data"
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
            #expect(data.firstRange(of: Data(Self.secret.utf8)) == nil, "\(name)")
        }
    }
}
