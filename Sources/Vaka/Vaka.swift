// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// Crash and error reporting for programs on Linux.
///
///     Vaka.start(Vaka.Options(key: "vk_…", endpoint: URL(string: "https://vaka.example.com")!, release: "app@1.2.3"))
///
/// From then on a crash of the program is kept on disk and sent at the next start, and the calls below collect what is
/// worth knowing. Every call may be made from any thread, returns at once unless it says otherwise, never throws, and
/// does nothing before `start` and after `stop`. What cannot be sent stays on disk and is tried again, also by the next
/// start.
public enum Vaka {
    /// How grave something is.
    public typealias Level = VakaModel.Level
    /// What is reported: see docs/protocol.md for its parts.
    public typealias Event = VakaModel.Event
    /// Something the program did before an event.
    public typealias Breadcrumb = VakaModel.Breadcrumb
    /// A value of a breadcrumb's or an event's data: write it as a literal, or as `.string(text)` and the like.
    public typealias Value = VakaModel.JSONValue

    /// Is told once whether what was handed over was kept: nil, or why it was not. Called on a thread of Vaka's own, which
    /// it must not hold up. What was kept survives the end of the process, and is sent by and by.
    public typealias Callback = @Sendable (APIError?) -> Void

    /// The version of this SDK, as reports name it.
    public static let version = "0.1.0"

    /// Starts collecting and sending, for this user. Call it first thing in `main`. A second call changes nothing; during a
    /// stop it returns at once, and the start comes after the stop's report.
    ///
    /// After a crash it takes the time to put the crash's record into the queue, some tens of milliseconds; after a
    /// crash within five seconds of the start it also waits for at most two seconds for it to be sent, since the program
    /// may not live longer this time. When something keeps it from starting (no folder to write to, a wrong endpoint),
    /// it says so in one line on standard error, and every other call does nothing.
    public static func start(_ options: Options, user: User? = nil) {
        Runtime.lifecycle.start(Lifecycle.Start(options: options, user: user))
    }

    /// Says that the user sees another screen or another part of the program.
    public static func screen(_ name: String, callback: Callback? = nil) {
        Runtime.lifecycle.collect(callback) { $0.screen(name) }
    }

    /// Counts something that happened, with what is worth knowing of it.
    public static func track(_ name: String, _ properties: [String: Value] = [:], callback: Callback? = nil) {
        Runtime.lifecycle.collect(callback) { $0.track(name, properties) }
    }

    /// Reports an error that was handled, with its causes, the stack of this call, the breadcrumbs, the user and the tags.
    ///
    /// With `Options.throwStacks` the stack is that of the throw, where it is known; `stack_of` tells which it is. The
    /// error's `description` is taken on this thread, with no lock held. A `CancellationError` is none by default.
    @inline(never)
    public static func capture(
        _ error: any Error, attachments: [Attachment] = [], callback: Callback? = nil
    ) {
        guard Runtime.lifecycle.collects else { return Runtime.lifecycle.refuse(callback) }
        let stack = CallStack()
        Runtime.lifecycle.collect(callback) { $0.capture(error, stack: stack, attachments: attachments) }
    }

    /// Reports a text, with the breadcrumbs, the user and the tags.
    public static func capture(
        message: String, level: Level = .info, attachments: [Attachment] = [], callback: Callback? = nil
    ) {
        Runtime.lifecycle.collect(callback) { $0.capture(message: message, level: level, attachments: attachments) }
    }

    /// Reports what every thread does at this moment, and the program goes on: the stacks, the breadcrumbs, the user and
    /// the tags, as with a crash.
    ///
    /// The other threads are stopped for it, for some milliseconds; the call itself takes some tens of them. System calls
    /// that wait, such as `nanosleep`, `poll` and `epoll_wait`, may return EINTR on those threads: docs/snapshots.md lists
    /// them. At most ten snapshots are taken in a row, and then one each ten seconds. False where none was taken.
    @inline(never)
    @discardableResult
    public static func snapshot(_ message: String? = nil) -> Bool {
        Runtime.client?.snapshot(message) ?? false
    }

    /// Remembers what the program did: the last 128 travel with each crash and each error. A crash takes of each as much
    /// as fits 992 bytes, the data going first.
    public static func addBreadcrumb(
        category: String, message: String, level: Level = .info, data: [String: Value] = [:]
    ) {
        // The usual way has nothing to keep for later: breadcrumbs are many.
        if let client = Runtime.client {
            return client.addBreadcrumb(category: category, message: message, level: level, data: data, scope: .current)
        }
        Runtime.lifecycle.collect { client in
            client.addBreadcrumb(category: category, message: message, level: level, data: data, scope: .current)
        }
    }

    /// Names the user whom later reports concern; nil forgets the user. Nothing is sent of a user who is not named.
    public static func identify(_ id: String?) {
        if let scope = Scope.current { return scope.identify(id) }
        Runtime.lifecycle.identify(id.map { User(userId: $0) })
    }

    /// Adds a tag to later reports, crashes included; nil takes it away.
    public static func setTag(_ key: String, _ value: String?) {
        if let scope = Scope.current { return scope.setTag(key, value) }
        Runtime.lifecycle.collect { $0.setTag(key, value) }
    }

    /// Says whether the program is in use. After `Options.sessionTimeout` out of use the session ends; the next use
    /// begins another. Programs that never call it have one session from `start` to their end.
    public static func setActive(_ active: Bool) {
        Runtime.lifecycle.collect { $0.setActive(active) }
    }

    /// Sends now what waits, without waiting for it.
    public static func flush() {
        Runtime.lifecycle.flush()
    }

    /// Sends now what waits, and blocks until it is delivered or the time is over. Whether nothing is left.
    @discardableResult
    public static func flush(timeout: Duration) -> Bool {
        Runtime.lifecycle.flush(timeout: timeout)
    }

    /// The same, without blocking a thread of the concurrency pool.
    @discardableResult
    public static func flush(timeout: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            Runtime.lifecycle.aside { continuation.resume(returning: Runtime.lifecycle.flush(timeout: timeout)) }
        }
    }
}
