// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

/// The host's own say over what is kept. Its code is called with no lock held, and not called again from within itself.
struct Hooks: Sendable {
    enum Verdict<Value: Sendable>: Sendable {
        case keep(Value)
        case drop(Losses.Cause)
    }

    /// Inherited by the tasks that a hook makes, so that these do not call it in turn either.
    @TaskLocal private static var isInEventHook = false
    @TaskLocal private static var isInBreadcrumbHook = false

    let beforeSend: (@Sendable (Event) throws -> Event?)?
    let beforeBreadcrumb: (@Sendable (Breadcrumb) throws -> Breadcrumb?)?

    init(_ options: Vaka.Options) {
        beforeSend = options.beforeSend
        beforeBreadcrumb = options.beforeBreadcrumb
    }

    func screen(_ event: Event) -> Verdict<Event> {
        guard let beforeSend else { return .keep(event) }
        let verdict = Self.ask(beforeSend, event, Self.$isInEventHook, .beforeSend)
        guard case .keep(var changed) = verdict else { return verdict }
        // What the delivery counts by.
        changed.eventID = event.eventID
        changed.type = event.type
        changed.schemaVersion = event.schemaVersion
        return .keep(changed)
    }

    func screen(_ breadcrumb: Breadcrumb) -> Verdict<Breadcrumb> {
        guard let beforeBreadcrumb else { return .keep(breadcrumb) }
        return Self.ask(beforeBreadcrumb, breadcrumb, Self.$isInBreadcrumbHook, .beforeBreadcrumb)
    }

    private static func ask<Value: Sendable>(
        _ hook: (Value) throws -> Value?, _ value: Value, _ isInHook: TaskLocal<Bool>, _ cause: Losses.Cause
    ) -> Verdict<Value> {
        if isInHook.get() { return .drop(.hookReentered) }
        do {
            let kept = try isInHook.withValue(true) { try hook(value) }
            return kept.map { .keep($0) } ?? .drop(cause)
        } catch {
            return .drop(.hookFailed)
        }
    }
}
