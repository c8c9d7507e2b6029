// SPDX-License-Identifier: Apache-2.0

/// Erasing what is kept on this machine. None of the calls stops the SDK. Each returns when the files are gone and what was
/// being sent of it is broken off, which takes a second or so, and works also before `start` (then in the folder where the most
/// recent start of this process kept its things, or where a start without `Options.storageDirectory` would). What the service
/// had received whole before cannot be called back; it is erased there.
extension Vaka {
    /// Erases the crash reports that are not delivered (records, and what waits in queues of crashes, hangs, snapshots and
    /// abnormal ends) and every stored screen recording. Keeps queued events and health messages.
    public static func clearStoredData() {
        Runtime.lifecycle.clear([.reports, .recordings])
    }

    /// Erases the messages of ``logHealthMessage(_:callback:)`` that are not delivered, and nothing else.
    public static func clearHealthMessages() {
        Runtime.lifecycle.clear([.health])
    }

    /// Erases every stored screen recording and what of them waits to be sent, and nothing else. What is recorded while it is
    /// called is erased, too; the recording goes on with a new one. An upload in progress is broken off.
    public static func clearScreenRecordings() {
        Runtime.lifecycle.clear([.recordings])
    }

    /// Erases every event that waits to be sent, for every key: errors, messages, sessions, screens and what was tracked.
    /// Keeps crash reports, health messages and screen recordings.
    public static func clearRequestQueues() {
        Runtime.lifecycle.clear([.events])
    }

    /// Sends now what is queued, and returns at once: the same as ``flush()``. It erases nothing, and sends nothing before a
    /// start has succeeded, nor between `stop` and the next start.
    public static func flushBatchRequests() {
        flush()
    }

    /// Reports in words how the program fares, for the people who look after it; what is kept of it can be erased by
    /// ``clearHealthMessages()``.
    public static func logHealthMessage(_ message: String, callback: Callback? = nil) {
        Runtime.lifecycle.collect(callback) { $0.logHealthMessage(message) }
    }
}
