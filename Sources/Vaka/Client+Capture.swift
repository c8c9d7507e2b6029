// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

/// What is reported; each call tells why it kept nothing, if so.
extension Client {
    @discardableResult
    func screen(_ name: String) -> Vaka.APIError? {
        addBreadcrumb(category: "screen", message: name, level: .info, data: [:], scope: .current)
        recordings.screenChanged(name)
        if let refusal = refusal(trackRate, .screen) { return refusal }
        return add(item(.screen, ["name": .string(name)]))
    }

    @discardableResult
    func track(_ name: String, _ properties: [String: JSONValue]) -> Vaka.APIError? {
        if let refusal = refusal(trackRate, .track) { return refusal }
        return add(item(.track, ["name": .string(name), "properties": .object(properties)]))
    }

    @discardableResult
    func capture(
        _ error: any Error, stack: CallStack, attachments: [Vaka.Attachment] = []
    ) -> Vaka.APIError? {
        if error is CancellationError, !options.reportsCancellation { return .withheld }
        noteError()
        if let refusal = refusal(errorRate, .event) { return refusal }
        // The host's own code, called before any lock is taken.
        var errors = ErrorChain(error, keepsWholeURLs: network.withLock { $0.keepsWholeURLs }).errors
        let (stack, origin) = stackOfThrow(of: error).map { ($0, StackOrigin.throw) } ?? (stack, .capture)
        errors[0].frames = stack.frames
        errors[0].stackOf = origin
        var event = event(.error, level: .error)
        event.errors = errors
        event.debugImages = stack.images
        return report(event, attachments)
    }

    @discardableResult
    func capture(message: String, level: Level, attachments: [Vaka.Attachment] = []) -> Vaka.APIError? {
        if let refusal = refusal(errorRate, .event) { return refusal }
        var event = event(.message, level: level)
        event.errors = [ReportedError(type: "message", message: message)]
        return report(event, attachments)
    }

    @inline(never)
    func snapshot(_ message: String?) -> Bool {
        guard let core, core.snapshot(message) else { return false }
        sendRecords()
        return true
    }

    func addBreadcrumb(
        category: String, message: String, level: Level, data: [String: JSONValue], scope: Vaka.Scope? = nil
    ) {
        let breadcrumb = Breadcrumb(
            timestamp: timekeeper.time, level: level, category: category, message: message, data: data)
        switch hooks.screen(breadcrumb) {
        case .drop(let cause): note(cause, kind: "breadcrumb")
        case .keep(let breadcrumb): keep(breadcrumb, scope)
        }
    }

    private func keep(_ breadcrumb: Breadcrumb, _ scope: Vaka.Scope?) {
        if let scope {
            scope.state.withLock { $0.breadcrumbs.add(breadcrumb) }
            core?.add(breadcrumb, of: scope)
        } else {
            state.withLock { $0.breadcrumbs.add(breadcrumb) }
            core?.add(breadcrumb)
        }
    }

    func setTag(_ key: String, _ value: String?) {
        state.withLock { $0.tags[key] = value }
        core?.set(.tag, key, value)
    }

    /// Lets the host see it, and keeps it for the next batch.
    private func report(_ event: Event, _ attachments: [Vaka.Attachment]) -> Vaka.APIError? {
        switch hooks.screen(event) {
        case .drop(let cause):
            return note(cause, kind: ItemKind.event.rawValue) ? .withheld : .notRunning
        case .keep(let event):
            if let refusal = add(.event(event)) { return refusal }
            attach(attachments, to: event.eventID)
            return nil
        }
    }

    private func noteError() {
        let errors = state.withLock { state -> Int? in
            state.session?.noteError()
            return state.session.flatMap { $0.isTold ? $0.errors : nil }
        }
        if let errors { core?.set(.session, "errors", String(errors)) }
    }

    private func event(_ type: EventType, level: Level) -> Event {
        var event = Event(
            eventID: BatchQueue.newID(), type: type, timestamp: timekeeper.time, level: level,
            arch: HostFacts.architecture)
        event.release = options.release
        event.environment = options.environment
        event.sampleRate = errorRate.told
        let breadcrumbs = state.withLock { state in
            event.contexts = state.contexts
            event.user = state.user
            event.tags = state.tags
            event.session = state.session.flatMap { $0.isTold ? $0.session(options) : nil }
            event.capabilities = state.capabilities.told
            return state.breadcrumbs
        }
        event.breadcrumbs = breadcrumbs.inOrder
        event.network = exchanges.history
        Vaka.Scope.current?.apply(to: &event, global: breadcrumbs)
        return event
    }

    /// The payload of a small item: what happened, when, and in which session.
    func item(_ kind: ItemKind, _ fields: [String: JSONValue]) -> PendingItem {
        var (session, user) = state.withLock { state in
            (state.session.flatMap { $0.isTold ? $0.id : nil }, state.user?["id"])
        }
        if let scoped = Vaka.Scope.current?.user { user = scoped?["id"] }
        var payload = fields
        payload["timestamp"] = .string(timekeeper.time.description)
        payload["session_id"] = session.map { .string($0) } ?? .null
        payload["user_id"] = user ?? .null
        payload["release"] = options.release.map { .string($0) } ?? .null
        payload["environment"] = .string(options.environment)
        payload["sample_rate"] = trackRate.told.map { .number($0) }
        return .other(BatchItem(kind: kind, id: BatchQueue.newID(), payload: .object(payload)))
    }
}
