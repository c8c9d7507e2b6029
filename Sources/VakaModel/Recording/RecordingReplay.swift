// SPDX-License-Identifier: Apache-2.0

/// Goes through a part's frames one after the other, and checks all that it meets: what came from elsewhere may say anything.
package struct RecordingReplay {
    /// A frame as it was seen.
    package struct Picture {
        package var frame: RecordingFrame
        package var drawings: [RecordingDrawing]
    }

    private let recording: Recording
    private var drawings: [RecordingDrawing] = []
    private var drawn = 0
    private var number = 0
    private var last = 0

    /// Throws where the part as a whole is not to be taken.
    package init(_ recording: Recording) throws(RecordingFault) {
        guard recording.schemaVersion <= Recording.schemaVersion else {
            throw .newerSchema(recording.schemaVersion)
        }
        guard Self.isName(recording.recordingID) else { throw .badName("recording_id") }
        if let event = recording.eventID, !Self.isName(event) { throw .badName("event_id") }
        guard recording.frames.count <= RecordingLimits.frames else { throw .tooManyFrames(recording.frames.count) }
        guard recording.taps.count <= RecordingLimits.taps else { throw .tooManyTaps(recording.taps.count) }
        // The duration first: a range that ends before it begins is a trap.
        guard (0...RecordingLimits.duration).contains(recording.duration), recording.part >= 0,
            recording.withheldTaps >= 0,
            recording.taps.allSatisfy({
                (0...recording.duration).contains($0.at) && Self.isPlace($0.x) && Self.isPlace($0.y)
            })
        else { throw .outOfBounds(frame: 0) }
        self.recording = recording
    }

    /// Nil after the last.
    package mutating func next() throws(RecordingFault) -> Picture? {
        guard number < recording.frames.count else { return nil }
        let frame = recording.frames[number]
        guard (last...recording.duration).contains(frame.at) else { throw .outOfOrder(frame: number) }
        guard Self.isSize(frame.width), Self.isSize(frame.height) else { throw .outOfBounds(frame: number) }
        for change in frame.changes {
            drawn += change.drawings.count
            guard drawn <= RecordingLimits.drawn else { throw .tooMuch }
            for drawing in change.drawings { try check(drawing) }
            guard change.apply(to: &drawings) else { throw .changeDoesNotFit(frame: number) }
            guard drawings.count <= RecordingLimits.drawings else { throw .tooManyDrawings(frame: number) }
        }
        last = frame.at
        number += 1
        return Picture(frame: frame, drawings: drawings)
    }

    /// Goes through all of them.
    package static func check(_ recording: Recording) throws(RecordingFault) {
        var replay = try RecordingReplay(recording)
        while try replay.next() != nil {}
    }

    private func check(_ drawing: RecordingDrawing) throws(RecordingFault) {
        guard RecordingDrawing.kinds.contains(drawing.kind),
            drawing.marks.isSubset(of: .all)
        else { throw .unknownKind(frame: number) }
        guard Self.isPlace(drawing.x), Self.isPlace(drawing.y), Self.isSize(drawing.width), Self.isSize(drawing.height)
        else { throw .outOfBounds(frame: number) }
        guard (drawing.text?.utf8.count ?? 0) <= RecordingLimits.text else { throw .textTooLong(frame: number) }
    }

    private static func isPlace(_ value: Int32) -> Bool {
        (-RecordingLimits.extent...RecordingLimits.extent).contains(value)
    }

    private static func isSize(_ value: Int32) -> Bool { (0...RecordingLimits.extent).contains(value) }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
