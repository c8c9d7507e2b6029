// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension Client {
    /// On the watching thread: the hang's record is in `crashes/`, or the hang is over.
    func tell(_ hang: CrashCore.Hang) {
        var data: [String: JSONValue] = ["watch": .string(hang.watch), "seconds": .number(hang.seconds)]
        if let id = hang.eventID { data["event_id"] = .string(id) }
        addBreadcrumb(
            category: "hang", message: "\(hang.watch) \(hang.isOver ? "goes on" : "does not go on")", level: .warning,
            data: data)
        guard let id = hang.eventID else { return }
        if hang.isOver {
            add(
                .hangEnd(
                    HangEnd(eventID: id, outcome: .recovered, duration: hang.seconds, timestamp: timekeeper.time)))
        } else {
            sendRecords()
        }
    }
}
