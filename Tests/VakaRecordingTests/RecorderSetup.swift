// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import VakaModel

@testable import Vaka
@testable import VakaRecording

/// A recorder and an SDK that sends nothing, in the test's own process.
struct RecorderSetup {
    let folder: TemporaryFolder
    let client: Client
    let recorder = Recorder()
    let link: RecordingLink

    init(_ settings: [String: JSONValue] = [:]) throws {
        folder = try TemporaryFolder()
        var options = Vaka.Options(
            key: "vk_test", endpoint: URL(string: "http://127.0.0.1:9/")!, crashReporting: false,
            sessionTracking: false, storageDirectory: URL(filePath: folder.path + "/state"))
        options.flushInterval = .seconds(3600)
        client = try Client(options: options)
        let all = settings.merging(["screen_recording": true, "screen_recording_privacy": "mask_none"]) { own, _ in own
        }
        let document = try ModelCoding.encode(["settings": JSONValue.object(all)])
        client.state.withLock { $0.settings = ServerSettings(document: document) ?? ServerSettings() }
        link = RecordingLink(client)
    }

    /// Answers the host when it is asked.
    func answer(_ host: GatedHost, _ text: String, screen: String? = nil) throws {
        try eventually { host.answer(text, screen: screen) ? true : nil }
    }

    /// Waits until what the recorder was told is done, and stops it: the parts of its recording.
    func stop() throws -> [Recording] {
        recorder.stopped(link)
        return try client.intake.withLock { $0.take() }.items.compactMap { item in
            guard case .recording(let item) = item else { return nil }
            return try ModelCoding.decode(Recording.self, from: ModelCoding.encode(item.payload))
        }
    }

    /// The texts of every frame.
    static func texts(_ parts: [Recording]) throws -> [[String]] {
        try parts.flatMap { try RecordingRun.pictures($0) }.map { $0.compactMap(\.text) }
    }
}
