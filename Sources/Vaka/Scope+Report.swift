// SPDX-License-Identifier: Apache-2.0
import CVakaHost
import VakaModel

extension Vaka.Scope {
    /// From the outermost to this one.
    private var chain: [Vaka.Scope] { (parent?.chain ?? []) + [self] }

    /// Nil where none of the scopes says anything of a user.
    var user: [String: JSONValue]?? {
        for scope in chain.reversed() {
            if case .set(let user) = scope.state.withLock({ $0.user }) { return .some(user) }
        }
        return nil
    }

    /// Adds what the scopes know to an event with the global context.
    func apply(to event: inout Event, global: BreadcrumbTail) {
        var tails = [global]
        for scope in chain {
            let state = scope.state.withLock { $0 }
            for (key, value) in state.tags { event.tags[key] = value }
            if case .set(let user) = state.user { event.user = user }
            tails.append(state.breadcrumbs)
        }
        event.breadcrumbs = BreadcrumbTail.merged(tails)
        event.contexts["scope"] = ["id": .string(id), "name": name.map { .string($0) } ?? .null]
    }
}

extension CrashCore {
    /// A crash takes along what a scope was told, as a breadcrumb with the scope's id and the thread that told it.
    func add(_ breadcrumb: Breadcrumb, of scope: Vaka.Scope) {
        var breadcrumb = breadcrumb
        breadcrumb.data["scope"] = .string(scope.id)
        breadcrumb.data["thread"] = .integer(Int64(vaka_host_thread_id()))
        add(breadcrumb)
    }

    func note(_ scope: Vaka.Scope, _ text: String) {
        add(Breadcrumb(timestamp: .now, category: "scope", message: text), of: scope)
    }
}
