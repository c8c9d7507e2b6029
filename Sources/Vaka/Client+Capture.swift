// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    func screen(_ name: String) {
        add(item(.screen, ["name": .string(name)]))
        addBreadcrumb(category: "screen", message: name, level: .info, data: [:])
    }

    func track(_ name: String, _ properties: [String: JSONValue]) {
        add(item(.track, ["name": .string(name), "properties": .object(properties)]))
    }

    func capture(_ error: any Error, stack: CallStack) {
        // The host's own code, called before any lock is taken.
        let reported = ReportedError(
            type: String(reflecting: type(of: error)), message: String(describing: error), frames: stack.frames)
        var event = event(.error, level: .error, countsAsError: true)
        event.errors = [reported]
        event.debugImages = stack.images
        add(.event(event))
    }

    func capture(message: String, level: Level) {
        var event = event(.message, level: level, countsAsError: false)
        event.errors = [ReportedError(type: "message", message: message)]
        add(.event(event))
    }

    @inline(never)
    func snapshot(_ message: String?) -> Bool {
        guard let core, core.snapshot(message) else { return false }
        sendRecords()
        return true
    }

    func addBreadcrumb(category: String, message: String, level: Level, data: [String: JSONValue]) {
        let breadcrumb = Breadcrumb(
            timestamp: timekeeper.time, level: level, category: category, message: message, data: data)
        state.withLock { $0.add(breadcrumb) }
        core?.add(breadcrumb)
    }

    func identify(_ id: String?) {
        state.withLock { $0.userID = id }
        core?.set(.user, "id", id)
    }

    func setTag(_ key: String, _ value: String?) {
        state.withLock { $0.tags[key] = value }
        core?.set(.tag, key, value)
    }

    private func event(_ type: EventType, level: Level, countsAsError: Bool) -> Event {
        var event = Event(
            eventID: BatchQueue.newID(), type: type, timestamp: timekeeper.time, level: level,
            arch: HostFacts.architecture)
        event.release = options.release
        event.environment = options.environment
        let errors = state.withLock { state -> Int? in
            if countsAsError { state.session?.noteError() }
            event.contexts = state.contexts
            event.user = state.userID.map { ["id": .string($0)] }
            event.tags = state.tags
            event.breadcrumbs = state.breadcrumbs
            event.session = state.session?.session(options)
            return state.session?.errors
        }
        if countsAsError, let errors { core?.set(.session, "errors", String(errors)) }
        return event
    }

    /// The payload of a small item: what happened, when, and in which session.
    private func item(_ kind: ItemKind, _ fields: [String: JSONValue]) -> PendingItem {
        let (session, user) = state.withLock { ($0.session?.id, $0.userID) }
        var payload = fields
        payload["timestamp"] = .string(timekeeper.time.description)
        payload["session_id"] = session.map { .string($0) } ?? .null
        payload["user_id"] = user.map { .string($0) } ?? .null
        payload["release"] = options.release.map { .string($0) } ?? .null
        payload["environment"] = .string(options.environment)
        return .other(BatchItem(kind: kind, id: BatchQueue.newID(), payload: .object(payload)))
    }
}
