// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// A program that shows what is on its screen and does what it is asked to.
///
/// Both calls come from threads of the SDK, so that a full concurrency pool holds nothing up; a host whose toolkit has a
/// thread of its own goes there (see ``ActionQueue``).
public protocol ObservationHost: Sendable {
    /// Whether the program is in the foreground, or what comes near to it: it is not asked for anything while it is not.
    var isActive: Bool { get }

    /// What is on the screen now. Never called by the bridge twice at a time.
    func elementTree() async -> ElementTree

    /// Does an action, and returns when what it does at once is done. One at a time. The element is as the capture has it
    /// that the action names (nil for a swipe).
    ///
    /// - Throws: ``VakaModel/ObservationRejection`` where it could not be done: `unknownElement` and
    ///   `elementNotActionable` where the element changed since, `actionQueueOverloaded`, `actionCancelled` when the task
    ///   was cancelled before anything was done.
    func perform(_ action: ObservationAction, on element: Element?) async throws(ObservationRejection)
}

extension ObservationHost {
    /// True: for programs that do not know.
    public var isActive: Bool { true }
}
