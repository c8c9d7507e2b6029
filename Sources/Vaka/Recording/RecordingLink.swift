// SPDX-License-Identifier: Apache-2.0
package import Delivery
import Synchronization
package import VakaModel

/// What a recorder has of the SDK that runs. Thread-safe; one of an SDK that was stopped does nothing.
package final class RecordingLink: Sendable {
    private static let recorder = Mutex<(any ScreenRecorder)?>(nil)

    private let client: Client

    init(_ client: Client) {
        self.client = client
    }

    /// The process's one recorder from now on; what runs already starts it at once.
    package static func register(_ recorder: any ScreenRecorder) {
        let isNew = Self.recorder.withLock { known in
            defer { known = recorder }
            return known !== recorder
        }
        if isNew, let client = Runtime.client { client.recordings.started(client) }
    }

    static var registered: (any ScreenRecorder)? { recorder.withLock { $0 } }

    package var settings: RecordingSettings { client.state.withLock { $0.settings.recording } }
    /// The screen that the program named last since the SDK runs.
    package var screenName: String? { client.recordings.screenName }
    /// What the program says of its user.
    package var user: [String: JSONValue]? { client.state.withLock { $0.user } }
    package var timekeeper: any Timekeeper { client.timekeeper }
    package var storage: StorageFolder { client.storage }

    /// A part without frames, as the SDK's state is now.
    package func part(of recordingID: String, number: Int, privacy: RecordingPrivacy, quality: RecordingQuality)
        -> Recording
    {
        var part = Recording(
            recordingID: recordingID, part: number, started: client.timekeeper.time, privacy: privacy, quality: quality)
        client.state.withLock { state in
            part.sessionID = state.session.flatMap { $0.isTold ? $0.id : nil }
            part.userID = Event.affectedUser(state.user)
        }
        part.release = client.options.release
        part.environment = client.options.environment
        return part
    }

    /// Keeps a part for the next batch.
    package func keep(_ part: Recording) {
        guard let item = try? BatchItem(recording: part) else { return }
        client.add(.recording(item))
    }

    /// A crash of this run takes along what the file of that name holds; nil for none.
    package func name(lastMoments name: String?) {
        client.core?.set(.sdk, LastMoments.contextKey, name)
    }

    /// The process shows what is masked from here on, and may have it in its memory for the rest of its life: crashes take
    /// none of that along.
    package func leaveTextsOutOfCrashes() { CrashCore.keepPointersOnly() }

    package func log(_ text: @autoclosure () -> String) { client.log(text()) }
}
