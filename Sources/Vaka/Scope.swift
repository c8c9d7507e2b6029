// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import VakaModel

extension Vaka {
    /// The context of one piece of work, such as a request: its tags, user and breadcrumbs travel with what is reported
    /// from within it, besides the global ones, and with nothing else. Thread-safe. See `Vaka.withScope`.
    ///
    /// A scope may lie within another; then it adds to that one's context. It is gone when nothing refers to it any more.
    public final class Scope: Sendable {
        struct State {
            enum User {
                case inherited
                case set([String: Value]?)
            }

            var tags: [String: String?] = [:]
            var user = User.inherited
            var breadcrumbs = BreadcrumbTail()
        }

        @TaskLocal static var current: Scope?

        /// Names the scope in reports (`contexts.scope.id`) and in the breadcrumbs of a crash (`scope`).
        public let id: String
        /// What the work is, such as `GET /orders`.
        public let name: String?
        let parent: Scope?
        let state = Mutex(State())

        init(name: String?, parent: Scope?) {
            id = String(UInt64.random(in: 1 ... .max), radix: 16)
            self.name = name
            self.parent = parent
        }

        /// Adds a tag to what is reported from within this scope; nil hides a global tag, or an outer scope's.
        public func setTag(_ key: String, _ value: String?) {
            state.withLock { $0.tags[key] = .some(value) }
            Runtime.client?.core?.note(self, "\(key)=\(value ?? "")")
        }

        /// Names the user whom reports from within this scope concern; nil says that it is nobody.
        public func identify(_ id: String?) {
            state.withLock { $0.user = .set(id.map { ["id": .string($0)] }) }
            Runtime.client?.core?.note(self, "user=\(id ?? "")")
        }

        /// Remembers what the work did. Each scope keeps its last 128.
        public func addBreadcrumb(
            category: String, message: String, level: Level = .info, data: [String: Value] = [:]
        ) {
            Runtime.lifecycle.collect { [self] client in
                client.addBreadcrumb(category: category, message: message, level: level, data: data, scope: self)
            }
        }
    }

    /// The scope that this code runs in, if any.
    public static var currentScope: Scope? { Scope.current }

    /// Runs `body` in a scope of its own. What is set by `setTag`, `identify` and `addBreadcrumb` of `Vaka` from within it
    /// belongs to the scope, and so does what child tasks set, on whatever thread.
    ///
    /// A crash within a scope has the global context only, since nobody can ask a crashed program for its task's values;
    /// the breadcrumbs, tags and user of scopes are among its breadcrumbs, each with the scope's id. docs/sdk.md says more.
    ///
    /// Works before `start`, too. Throws what `body` throws.
    public static func withScope<Result>(
        _ name: String? = nil, _ body: (Scope) throws -> Result
    ) rethrows -> Result {
        let scope = Scope(name: name, parent: .current)
        return try Scope.$current.withValue(scope) { try body(scope) }
    }

    /// The same for work that awaits.
    public static func withScope<Result>(
        _ name: String? = nil, isolation: isolated (any Actor)? = #isolation, _ body: (Scope) async throws -> Result
    ) async rethrows -> Result {
        let scope = Scope(name: name, parent: .current)
        return try await Scope.$current.withValue(scope, operation: { try await body(scope) }, isolation: isolation)
    }

    /// Runs `body` in no scope: what it sets is global. An unstructured `Task` inherits the scope that it is made in; make
    /// it in here where it outlives the request.
    public static func withoutScope<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Scope.$current.withValue(nil) { try body() }
    }
}
