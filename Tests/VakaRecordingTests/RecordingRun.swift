// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import TestSupport
import VakaModel

/// A program whose screen is recorded, its storage folder, and the service that it talks to.
struct RecordingRun {
    let folder: TemporaryFolder
    let server: ScriptedServer

    /// With these settings at the service; `screen_recording` is on, unless they say otherwise. With `standard`, which answers
    /// requests from then on, a launch before has the settings already.
    init(_ settings: [String: JSONValue] = [:], default standard: ScriptedServer.Answer? = nil) throws {
        folder = try TemporaryFolder()
        server = try ScriptedServer()
        try serve(settings, version: "1")
        guard let standard else { return }
        // The settings are asked for when something was delivered.
        for place in ["usual", "own"] { _ = try start(place, "taken=1", "stop", "exit").wait() }
        try server.setDefault(standard)
    }

    func serve(_ settings: [String: JSONValue], version: String) throws {
        let all = settings.merging(["screen_recording": true]) { first, _ in first }
        try server.setSettings(["version": .string(version), "settings": .object(all)])
    }

    func start(_ steps: String..., url: String? = nil) throws -> ChildProcess {
        try ChildProcess(
            BuildProducts.executable("recording-test-program"),
            [url ?? server.url, folder.path + "/state"] + steps,
            environment: ["SWIFT_BACKTRACE": "enable=no", "XDG_STATE_HOME": folder.path + "/state"])
    }

    /// Every part that arrived, in its order.
    func recordings() throws -> [Recording] {
        try server.requests().flatMap(\.items).filter { $0["kind"] == "recording" }.map { item in
            try ModelCoding.decode(Recording.self, from: ModelCoding.encode(item["payload"]))
        }
    }

    func events(_ type: EventType) throws -> [Event] {
        try server.requests().flatMap(\.items).filter {
            $0["kind"] == "event" && $0["payload"]?["type"] == .string(type.rawValue)
        }
        .map { try ModelCoding.decode(Event.self, from: ModelCoding.encode($0["payload"])) }
    }

    /// Every byte that the program keeps, what is compressed also as it is read.
    func stored() throws -> String {
        var all = ""
        let root = folder.path + "/state"
        for name in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
            guard let data = FileManager.default.contents(atPath: root + "/" + name) else { continue }
            all += name + "\n" + String(decoding: data, as: UTF8.self)
            all += String(decoding: Gzip.decompress(data, limit: 16 << 20), as: UTF8.self)
        }
        return all
    }

    /// Of a part: the drawings of every frame.
    static func pictures(_ part: Recording) throws -> [[RecordingDrawing]] {
        var replay = try RecordingReplay(part)
        var pictures: [[RecordingDrawing]] = []
        while let picture = try replay.next() { pictures.append(picture.drawings) }
        return pictures
    }
}
