// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Makes an item smaller that is too large to be sent even alone.
///
/// Stack slices go first (other threads', then the crashed one's with the rest of the captured memory), then the oldest
/// half of the breadcrumbs, again and again; each step says so in the event's `loss`.
package enum Shedding {
    /// The item after the next step; nil where nothing is left to shed.
    package static func step(_ item: BatchItem) -> BatchItem? {
        if item.kind == .attachment { return withoutData(item) }
        guard item.kind == .event, case .object(var event) = item.payload else { return nil }
        guard shedStacks(&event, crashed: false) || shedMemory(&event) || shedBreadcrumbs(&event) else { return nil }
        return BatchItem(kind: item.kind, id: item.id, payload: .object(event))
    }

    private static func withoutData(_ item: BatchItem) -> BatchItem? {
        guard case .object(var attachment) = item.payload, attachment["data"]?.string != nil else { return nil }
        attachment["data"] = .null
        attachment["missing"] = "left out: it was too large to be sent"
        return BatchItem(kind: item.kind, id: item.id, payload: .object(attachment))
    }

    /// Steps until the encoded item fits, or nothing is left to shed; and its size then.
    static func shrink(_ item: BatchItem, toFit limit: Int) -> (item: BatchItem, bytes: Int) {
        var item = item
        var bytes = encodedBytes(item)
        while bytes > limit, let smaller = step(item) {
            item = smaller
            bytes = encodedBytes(item)
        }
        return (item, bytes)
    }

    private static func encodedBytes(_ item: BatchItem) -> Int {
        (try? ModelCoding.encode(item).count) ?? 0
    }

    private static func shedStacks(_ event: inout [String: JSONValue], crashed: Bool) -> Bool {
        guard case .array(var threads) = event["threads"] else { return false }
        var shed = 0
        for index in threads.indices {
            guard case .object(var thread) = threads[index], (thread["crashed"] == true) == crashed,
                thread["stack"] != nil, thread.removeValue(forKey: "stack") != .null
            else { continue }
            threads[index] = .object(thread)
            shed += 1
        }
        guard shed > 0 else { return false }
        event["threads"] = .array(threads)
        note(&event, crashed ? "stack slice of the crashed thread" : "stack slices of \(shed) other threads")
        return true
    }

    private static func shedMemory(_ event: inout [String: JSONValue]) -> Bool {
        let shedStack = shedStacks(&event, crashed: true)
        guard let memory = event.removeValue(forKey: "memory"), memory != .null, memory != .array([]) else {
            return shedStack
        }
        note(&event, "captured memory")
        return true
    }

    private static func shedBreadcrumbs(_ event: inout [String: JSONValue]) -> Bool {
        guard case .array(let breadcrumbs) = event["breadcrumbs"], !breadcrumbs.isEmpty else { return false }
        let count = (breadcrumbs.count + 1) / 2
        event["breadcrumbs"] = .array(Array(breadcrumbs.dropFirst(count)))
        note(&event, "the \(count) oldest of \(breadcrumbs.count) breadcrumbs")
        return true
    }

    private static func note(_ event: inout [String: JSONValue], _ what: String) {
        var loss: [JSONValue] = []
        if case .array(let before) = event["loss"] { loss = before }
        loss.append(["what": .string(what), "why": "left out: the report was too large to be sent"])
        event["loss"] = .array(loss)
    }
}
