// SPDX-License-Identifier: Apache-2.0
import Testing
import VakaModel

@testable import IngestService

/// What of a recording a page shows.
struct RecordingPicturesTests {
    private static let box = RecordingDrawing(kind: .text, x: 0, y: 0, width: 1, height: 1)

    /// Frames of so many elements each, ten a second.
    private func part(_ number: Int, frames: Int, of drawings: Int, from start: Int64) -> Recording {
        var part = Recording(
            recordingID: String(repeating: "0a", count: 16), part: number, started: Timestamp(milliseconds: start),
            privacy: .none, quality: .high)
        part.duration = frames * 100
        part.frames = (0..<frames).map { frame in
            var box = Self.box
            box.x = Int32(frame)
            let drawings = frame == 0 ? Array(repeating: box, count: drawings) : [box]
            let change = RecordingChange(index: 0, removed: frame == 0 ? 0 : 1, drawings: drawings)
            return RecordingFrame(at: frame * 100, width: 10, height: 10, changes: [change])
        }
        part.taps = [RecordingTap(at: 0, x: 1, y: 1), RecordingTap(at: frames * 100 - 1, x: 2, y: 2)]
        return part
    }

    @Test func `the last frames are kept, as far as their elements go`() throws {
        var pictures = RecordingPictures(most: 40, mostDrawings: 8000)
        try pictures.add(part(0, frames: 240, of: 4000, from: 0))
        #expect(pictures.all == 240 && pictures.shown.map(\.picture.frame.at) == [23_800, 23_900])
        // A tap belongs to its frame, or to none.
        #expect(pictures.shown.map { $0.taps.map(\.x) } == [[], [2]])
        try pictures.add(part(1, frames: 50, of: 10, from: 24_000))
        #expect(pictures.all == 290 && pictures.shown.count == 40)
        #expect(pictures.shown.map(\.at.milliseconds) == (10..<50).map { 24_000 + $0 * 100 })
        #expect(pictures.shown.last?.picture.drawings.first?.x == 49)
        // One that is larger than all is shown nevertheless.
        try pictures.add(part(2, frames: 1, of: 5000, from: 60_000))
        #expect(pictures.shown.count == 40)
        var small = RecordingPictures(most: 40, mostDrawings: 10)
        try small.add(part(0, frames: 3, of: 20, from: 0))
        #expect(small.shown.map(\.picture.frame.at) == [200])
    }

    @Test func `a part is shown from a frame on, page by page, with its taps`() throws {
        let part = part(0, frames: 150, of: 10, from: 1000)
        var (from, seen, taps): (Int?, [Int], [Int32]) = (0, [], [])
        while let first = from {
            let page = try RecordingPictures.page(of: part, from: first, most: 60, mostDrawings: 8000)
            seen += page.shown.map(\.picture.frame.at)
            taps += page.shown.flatMap { $0.taps.map(\.x) }
            from = page.next
        }
        #expect(seen == part.frames.map(\.at) && taps == [1, 2])
        // One that is larger than all is shown nevertheless, and nothing is there beyond the end.
        let large = try RecordingPictures.page(of: part, from: 5, most: 60, mostDrawings: 3)
        #expect(large.shown.map(\.picture.frame.at) == [500] && large.next == 6)
        let beyond = try RecordingPictures.page(of: part, from: 150, most: 60, mostDrawings: 8000)
        #expect(beyond.shown.isEmpty && beyond.next == nil)
        var broken = part
        broken.frames[149].changes[0].index = 99
        #expect(throws: RecordingFault.changeDoesNotFit(frame: 149)) {
            try RecordingPictures.page(of: broken, from: 0, most: 60, mostDrawings: 8000)
        }
    }

    @Test func `of a part that breaks off nothing is kept`() throws {
        var pictures = RecordingPictures(most: 40, mostDrawings: 8000)
        try pictures.add(part(0, frames: 3, of: 1, from: 0))
        var broken = part(1, frames: 3, of: 1, from: 1000)
        broken.frames[2].changes[0].index = 9
        #expect(throws: RecordingFault.changeDoesNotFit(frame: 2)) { try pictures.add(broken) }
        #expect(pictures.all == 3 && pictures.shown.count == 3)
    }

    @Test func `the page says why it has fewer frames`() {
        func page(_ part: Recording) -> String {
            var text = ""
            RecordingView([part], end: Timestamp(milliseconds: 30_000)).content.write(to: &text)
            return text
        }
        let cut = page(part(0, frames: 240, of: 4000, from: 0))
        #expect(cut.contains("2 frames of 240, the last: together they have no more than 8000 elements. "))
        let last = page(part(0, frames: 50, of: 10, from: 0))
        #expect(last.contains("40 frames of 50, the last. "))
    }
}
