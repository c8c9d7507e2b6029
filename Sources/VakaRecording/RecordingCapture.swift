// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Vaka
import VakaModel
import VakaObservation

/// One recording, from its beginning to its end. Touched on the recorder's queue alone.
final class RecordingCapture: @unchecked Sendable {
    let link: RecordingLink
    let settings: RecordingSettings
    private let id = BatchQueue.newID()
    private var file: LastMomentsFile?
    private var part: RecordingPart?
    private var number = 0
    /// Whose screen the part shows.
    private var user: [String: JSONValue]?
    private var taps = PendingTaps()
    /// What was taken and is not in the file yet.
    private var unwritten: [Line] = []

    private enum Line {
        case begin(Recording)
        case frame(Data)
        case tap(RecordingTap)
        case withheld(Int)
        case unchanged(Int)
    }

    init(_ link: RecordingLink, _ settings: RecordingSettings) {
        self.link = link
        self.settings = settings
        file = LastMomentsFile(link.storage)
        if let file { link.name(lastMoments: file.name) }
    }

    /// False where it is not kept.
    func add(_ point: ScreenPoint, at uptime: Duration) -> Bool { taps.add(point, at: uptime) }

    /// It is not known what is on the screen, until the next frame.
    func forgetScreen() { taps.forgetScreen() }

    /// Adds a frame, which the host was asked for at that time, and decides about the taps before.
    func take(_ tree: ElementTree, isMasked: Bool, isNew: Bool, user: [String: JSONValue]?, at uptime: Duration) {
        let screen = ScreenReading.read(
            tree, privacy: settings.privacy, quality: settings.quality, isMasked: isMasked)
        if part != nil, user != self.user {
            // The other user's taps go with the other user's part.
            taps.forgetScreen()
            part?.withhold(taps.takeWithheld())
            close(at: uptime)
        }
        self.user = user
        if part?.isFull == true { close(at: uptime) }
        var part = part ?? begin(at: uptime)
        if let frame = part.add(screen, at: uptime, isNew: isNew) {
            unwritten.append(.frame(frame))
        } else {
            unwritten.append(.unchanged(part.recording.duration))
        }
        let told = taps.decide(screen, tree.bounds, from: uptime, to: link.timekeeper.uptime)
        for tap in told { unwritten.append(.tap(part.add(tap))) }
        let withheld = taps.takeWithheld()
        if withheld > 0 {
            part.withhold(withheld)
            unwritten.append(.withheld(part.recording.withheldTaps))
        }
        self.part = part
    }

    /// What was taken goes to the file.
    func write() {
        for line in unwritten {
            switch line {
            case .begin(let part): file?.begin(part)
            case .frame(let json): file?.add(frame: json)
            case .tap(let tap): file?.add(tap)
            case .withheld(let count): file?.note(withheldTaps: count)
            case .unchanged(let time): file?.note(unchangedUntil: time)
            }
        }
        unwritten = []
    }

    private func begin(at uptime: Duration) -> RecordingPart {
        var recording = link.part(of: id, number: number, privacy: settings.privacy, quality: settings.quality)
        recording.userID = Event.affectedUser(user)
        number += 1
        unwritten.append(.begin(recording))
        return RecordingPart(recording, started: uptime)
    }

    /// The part goes to the queue.
    private func close(at uptime: Duration) {
        guard var part else { return }
        part.end(at: uptime)
        self.part = nil
        if !part.isEmpty { link.keep(part.recording) }
    }

    /// The last part goes to the queue, and nothing is left beside it.
    func end() {
        taps.forgetScreen()
        part?.withhold(taps.takeWithheld())
        close(at: link.timekeeper.uptime)
        removeFile()
    }

    /// Nothing is left of what was not queued.
    func forget() {
        part = nil
        removeFile()
    }

    private func removeFile() {
        link.name(lastMoments: nil)
        file?.remove()
        file = nil
        unwritten = []
    }
}
