// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What is queued of one event.
struct ToldEvent {
    var event: Event?
    var items: [BatchItem] = []
    var losses = Losses()
}

extension CrashRecovery {
    /// The event as the host lets it go, and the end of its session, which counts in any case. Nil: it is to stay.
    /// `recording` names the run's last moments.
    func told(
        _ event: Event, _ paths: [String: String], _ recording: String?, _ mark: ScreeningMark
    ) throws -> ToldEvent? {
        let items = try BatchItem.items(of: event)
        let moments = event.isEndOfRun ? LastMoments.items(named: recording, of: event.eventID, in: folder) : []
        guard let screen else {
            return ToldEvent(event: event, items: items + (try attachments(of: event, paths)) + moments)
        }
        switch mark.isFatal ? .drop(.hookCrashed) : screened(event, screen, mark) {
        case .later: return nil
        case .send(let changed):
            let changedItem = try BatchItem.items(of: changed).filter { $0.kind == .event }
            let others = items.filter { $0.kind != .event }
            let files = try attachments(of: event, paths)
            return ToldEvent(event: event, items: changedItem + others + files + moments)
        case .drop(let cause):
            log("\(event.type) \(event.eventID) is not sent: \(cause)")
            var losses = Losses()
            losses.add(cause, kind: ItemKind.event.rawValue)
            return ToldEvent(event: event, items: items.filter { $0.kind != .event }, losses: losses)
        }
    }

    private func attachments(of event: Event, _ paths: [String: String]) throws -> [BatchItem] {
        let found =
            files?.attachments(of: event.eventID, paths)
            ?? paths.keys.sorted().map { name in
                EventAttachment(
                    eventID: event.eventID, name: name, size: 0, data: nil,
                    missing: "it was sent by another program, which reads no files of this one")
            }
        return try found.enumerated().map { try BatchItem(attachment: $1, number: $0) }
    }

    private func screened(_ event: Event, _ screen: any EventScreen, _ mark: ScreeningMark) -> Screening {
        mark.set()
        defer { endScreening() }
        return screen.screen(event)
    }

    /// The process ends in an orderly way, maybe while an event is screened: the screen is not to blame.
    package func endScreening() {
        ScreeningMark.clear(folder)
    }
}

extension Event {
    /// Nothing of the run comes after it.
    var isEndOfRun: Bool { type == .crash || type == .abnormal }
}
