// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Synchronization
public import VakaModel

/// What a page in a program's web view shows, and what is done there.
///
/// The page runs ``pageScript(server:)``, which posts snapshots to the program and asks it for something to do. The host
/// says when the page changes; without that, the script's own words tell it. May be called from any thread.
public final class WebViewBridge: Sendable {
    struct State {
        var url: String?
        var document: WebDocument?
        /// Why there is no snapshot, or none any more.
        var failure: ObservationFailure?
        var processLives = true
        var isDetached = false
        /// Documents that were left: what comes of them late counts no more.
        var left: [String] = []
        var snapshots = 0
        var commands = WebCommands()
    }

    /// The host's name for the web view.
    public let webViewId: String
    public let policy: WebViewPolicy
    /// With it a page reaches this web view's bridge, and nothing else.
    package let pageToken = RandomToken.make()
    /// Snapshots of another run do not bear the names of this one's.
    private let prefix = "s" + RandomToken.make().prefix(8) + "-"
    let state = Mutex(State())

    /// A bridge to a web view that shows nothing yet.
    public init(webViewId: String, policy: WebViewPolicy) {
        self.webViewId = webViewId
        self.policy = policy
    }

    /// What `/health` says of it.
    public var viewState: WebViewState {
        state.withLock { state in
            WebViewState(
                webViewId: webViewId, url: state.url, allowedOrigins: Array(policy.allowedOrigins),
                contentProcessAvailable: state.processLives && !state.isDetached)
        }
    }

    // MARK: What the host tells

    /// The web view committed a navigation, a reload included: the snapshots of the document before are discarded.
    public func didCommitNavigation(to url: String) {
        change { state in
            state.leaveDocument()
            state.url = WebOrigin.withoutSecrets(url)
            state.processLives = true
            state.failure = policy.allows(url) ? nil : .disallowedOrigin
        }
    }

    /// The page's process ended; until the page is loaded again there are neither snapshots nor actions.
    public func contentProcessDidTerminate() {
        change { state in
            state.leaveDocument()
            state.processLives = false
        }
    }

    /// The web view is gone.
    public func detach() {
        change { state in
            state.leaveDocument()
            state.isDetached = true
        }
    }

    // MARK: What is asked

    /// The latest snapshot of the document that the page shows.
    ///
    /// - Throws: `webProcessUnavailable`, `disallowedOrigin`, `messageTooLarge`, `noSnapshot`.
    public func snapshot() throws(ObservationFailure) -> WebSnapshot {
        let answer: Result<WebSnapshot, ObservationFailure> = state.withLock { state in
            if !state.processLives || state.isDetached { return .failure(.webProcessUnavailable) }
            if let failure = state.failure { return .failure(failure) }
            return state.document?.latest.map { .success($0) } ?? .failure(.noSnapshot)
        }
        return try answer.get()
    }

    /// Has the page do something; a rejection is a result.
    ///
    /// - Throws: `badReply` where the page took it and did not answer in time.
    public func perform(
        _ action: WebAction, within time: Duration = .seconds(5)
    ) async throws(ObservationFailure) -> WebActionResult {
        let answer: Result<Int, WebRejection> = change { state in
            if let rejection = state.rejection(action) { return .failure(rejection) }
            return .success(state.commands.add(action))
        }
        switch answer {
        case .failure(let rejection): return .rejected(rejection)
        case .success(let number):
            switch await end(of: number, within: time) {
            case .done: return .accepted
            case .failed: return .rejected(.javascriptError)
            // Nobody was there to take it, and nobody will.
            case .untaken: return .rejected(.webProcessUnavailable)
            case .unanswered: throw .badReply
            }
        }
    }

    private func end(of number: Int, within time: Duration) async -> WebCommands.End {
        let clock = Task(executorPreference: ServingExecutor.shared) { [self] in
            try? await Task.sleep(for: time)
            if !Task.isCancelled { change { $0.commands.giveUp(number) } }
        }
        defer { clock.cancel() }
        return await withCheckedContinuation { continuation in
            change { $0.commands.wait(for: number, continuation) }
        }
    }

    // MARK: What the page tells

    /// Takes a message of the page's script. Engines that have a channel of their own to their pages hand messages over
    /// here; the server does it for those that post them. A `poll` waits for at most 20 seconds.
    ///
    /// - Parameters:
    ///   - origin: of the frame that sent it, as the engine says.
    ///   - isMainFrame: what the engine says of it; nil leaves it to the script's word.
    public func receive(_ bytes: [UInt8], origin: String?, isMainFrame: Bool? = nil) async -> PageReply {
        guard bytes.count <= policy.maxMessageBytes else {
            refuseLargeMessage(origin: origin)
            return .tooLarge
        }
        guard let message = PageMessage(bytes), message.mainFrame, isMainFrame ?? true else { return .refused }
        guard let origin, policy.allows(origin), WebOrigin.of(message.url) == WebOrigin.of(origin) else {
            change { state in
                guard state.enter(message.documentId) else { return }
                state.url = WebOrigin.withoutSecrets(message.url)
                state.failure = .disallowedOrigin
            }
            return .disallowedOrigin
        }
        return await take(message)
    }

    /// A page posted more than the policy takes; what it says was not read.
    package func refuseLargeMessage(origin: String?) {
        guard let origin, policy.allows(origin) else { return }
        change { $0.failure = .messageTooLarge }
    }

    private func take(_ message: PageMessage) async -> PageReply {
        switch message.kind {
        case .snapshot:
            return change { state in
                guard state.enter(message.documentId) else { return .gone }
                state.snapshots += 1
                let snapshot = message.snapshot(policy, snapshotId: prefix + String(state.snapshots))
                state.url = snapshot.url
                state.failure = nil
                state.document?.add(snapshot)
                return .taken
            }
        case .result:
            change { state in
                guard state.document?.id == message.documentId, let id = message.commandId else { return }
                state.commands.answer(id, failed: message.failed ?? false)
            }
            return .taken
        case .bye:
            change { state in
                if state.document?.id == message.documentId { state.leaveDocument() }
            }
            return .taken
        case .poll: return await poll(message.documentId)
        }
    }

    private func poll(_ documentId: String) async -> PageReply {
        guard change({ $0.enter(documentId) }) else { return .gone }
        let number = change { $0.commands.newPoll() }
        let clock = Task(executorPreference: ServingExecutor.shared) { [self] in
            try? await Task.sleep(for: .seconds(20))
            if !Task.isCancelled { change { $0.commands.endPoll(number) } }
        }
        defer { clock.cancel() }
        let command: PageCommand? = await withCheckedContinuation { continuation in
            change { $0.commands.wait(poll: number, continuation) }
        }
        return command.map { .command($0.bytes) } ?? .taken
    }

    /// Changes the state, and wakes afterwards whom that concerns.
    @discardableResult
    private func change<Value: Sendable>(_ work: (inout State) -> Value) -> Value {
        let (value, wakes) = state.withLock { state in
            let value = work(&state)
            return (value, state.commands.takeWakes())
        }
        for wake in wakes { wake() }
        return value
    }
}
