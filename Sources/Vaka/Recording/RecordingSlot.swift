// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The recorder of a client, from its start to its stop.
final class RecordingSlot: Sendable {
    private struct State {
        var link: RecordingLink?
        var recorder: (any ScreenRecorder)?
        var isOver = false
        var screenName: String?
    }

    private let state = Mutex(State())

    /// The client runs, or a recorder was registered since: told once of each.
    func started(_ client: Client) {
        if let recorder = RecordingLink.registered { start(recorder, client) }
    }

    func start(_ recorder: any ScreenRecorder, _ client: Client) {
        let link = state.withLock { state -> RecordingLink? in
            guard !state.isOver, state.recorder !== recorder else { return nil }
            state.recorder = recorder
            state.link = state.link ?? RecordingLink(client)
            return state.link
        }
        if let link { recorder.started(link) }
    }

    func settingsChanged() { tell { $0.settingsChanged($1) } }

    /// The screen that the program named last, whether or not there was a recorder then.
    var screenName: String? { state.withLock { $0.screenName } }

    func screenChanged(_ name: String) {
        state.withLock { $0.screenName = name }
        tell { $0.screenChanged(name, $1) }
    }

    func cleared() { tell { $0.cleared($1) } }

    /// Only once; nothing is told afterwards.
    func stopped() {
        tell { $0.stopped($1) }
        state.withLock { $0 = State(isOver: true) }
    }

    private func tell(_ body: (any ScreenRecorder, RecordingLink) -> Void) {
        let (recorder, link) = state.withLock { ($0.recorder, $0.link) }
        if let recorder, let link { body(recorder, link) }
    }
}
