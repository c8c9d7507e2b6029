// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import VakaModel

/// Captures a host's screen and has the host do what it is asked to, after it has looked whether that is still possible.
///
/// A capture makes an earlier one stale, whoever asked for it. One action is done at a time, and after it the bridge
/// captures the screen anew. All of it may be called from any thread; no lock is held while the host works.
public final class ObservationBridge: Sendable {
    private struct State {
        var next: UInt64
        var capture: Capture?
        /// The number of the action that is being done, and its task once there is one.
        var inFlight: Int?
        var actions = 0
        var task: Task<Result<Void, ObservationRejection>, Never>?
        var isStopped = false
    }

    /// What an action goes to.
    private struct Admission {
        var number: Int
        var element: Element?
    }

    private let host: any ObservationHost
    private let gate = CaptureGate()
    private let state: Mutex<State>

    /// A bridge to a host. Identities begin anywhere, so that one of another run of the program is stale in this.
    public convenience init(_ host: any ObservationHost) {
        self.init(host, firstIdentity: UInt64.random(in: 1 << 53..<1 << 62))
    }

    /// With the identity of its first capture.
    package init(_ host: any ObservationHost, firstIdentity: UInt64) {
        self.host = host
        state = Mutex(State(next: firstIdentity))
    }

    /// Whether the program is in the foreground, as it says.
    public var isActive: Bool { host.isActive }

    /// Captures what is on the screen now. It becomes the current observation: those before it are stale.
    public func snapshot() async -> ObservationSnapshot {
        // One at a time: otherwise an older tree could get the newer identity.
        await gate.pass { [self] in
            let tree = await host.elementTree()
            return publish(tree)
        }
    }

    private func publish(_ tree: ElementTree) -> ObservationSnapshot {
        let identity = CaptureIdentity(rawValue: state.withLock { $0.next })
        let capture = Capture(tree, identity: identity, timestamp: .now)
        state.withLock { state in
            state.capture = capture
            state.next += 1
        }
        return capture.snapshot
    }

    /// Does an action, or says why not: `stale_observation`, `unknown_element`, `element_not_actionable` and
    /// `action_in_flight` are looked for in this order, then the host does it, and may refuse, too.
    public func perform(_ action: ObservationAction) async -> ObservationActionResult {
        let admission: Admission
        switch state.withLock({ Self.admit(action, &$0) }) {
        case .success(let admitted): admission = admitted
        case .failure(let rejection): return .rejected(rejection)
        }
        let outcome = await run(action, admission)
        let result: ObservationActionResult
        switch outcome {
        // What the host did is captured before another action may begin.
        case .success: result = .accepted(next: await snapshot().captureIdentity)
        case .failure(let rejection): result = .rejected(rejection)
        }
        state.withLock { state in
            guard state.inFlight == admission.number else { return }
            state.inFlight = nil
            state.task = nil
        }
        return result
    }

    /// Ends what is being done, as far as the host lets it, and takes no further action: they are answered with
    /// `action_cancelled`. Returns at once.
    public func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }

    private func run(
        _ action: ObservationAction, _ admission: Admission
    ) async -> Result<Void, ObservationRejection> {
        let host = host
        let task = Task(executorPreference: ServingExecutor.shared) { () -> Result<Void, ObservationRejection> in
            guard !Task.isCancelled else { return .failure(.actionCancelled) }
            do throws(ObservationRejection) {
                try await host.perform(action, on: admission.element)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        // A stop between the admission and here has to find it, too.
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private static func admit(
        _ action: ObservationAction, _ state: inout State
    ) -> Result<Admission, ObservationRejection> {
        guard !state.isStopped else { return .failure(.actionCancelled) }
        guard let capture = state.capture, action.observationIdentity == capture.snapshot.captureIdentity else {
            return .failure(.staleObservation)
        }
        var element: Element?
        if let id = action.elementId {
            guard let entry = capture[id] else { return .failure(.unknownElement) }
            guard entry.takes(action.kind) else { return .failure(.elementNotActionable) }
            element = entry.element
        }
        guard state.inFlight == nil else { return .failure(.actionInFlight) }
        state.actions += 1
        state.inFlight = state.actions
        return .success(Admission(number: state.actions, element: element))
    }
}
